// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Settings as a small part of YAML: a setting of the job on a line of its own; under {@code operators:} the operators, indented, and
 * under each its settings, indented further; {@code #} begins a comment.
 *
 * <pre>{@code
 * threads: 2
 * operators:
 *   parse:
 *     parallelism: 2
 * }</pre>
 */
public final class TunedYaml {
    private static final String OPERATORS = "operators";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

    private TunedYaml() {}

    /**
     * A setting as it was read.
     *
     * @param line from 1
     */
    public record Entry(int line, Choice choice) {}

    /** Where something is wrong in such a file. The message is one line, without the name of the file and the line. */
    public static final class MistakeException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int line;

        MistakeException(int line, String message) {
            super(message);
            this.line = line;
        }

        /** From 1. */
        public int line() {
            return line;
        }
    }

    // ---- reading

    /**
     * Reads all settings.
     *
     * @throws MistakeException at the first that is unknown, has a value that cannot be, or is given twice
     */
    public static List<Entry> read(String text) throws MistakeException {
        List<Entry> entries = new ArrayList<>();
        boolean within = false;
        int operatorIndent = 0;
        String operator = "";
        int number = 0;
        for (String raw : text.lines().toList()) {
            number++;
            String line = withoutComment(number == 1 && raw.startsWith("\uFEFF") ? raw.substring(1) : raw, number);
            String content = line.strip();
            if (content.isEmpty() || content.equals("---")) {
                continue;
            }
            int indent = line.indexOf(content);
            if (line.substring(0, indent).indexOf('\t') >= 0) {
                throw new MistakeException(number, "YAML is indented with spaces, and this line begins with a tab");
            }
            String[] parts = parts(content, number);
            if (indent == 0) {
                within = parts[0].equals(OPERATORS) && parts[1].isEmpty();
                operator = "";
                operatorIndent = 0;
                if (!within) {
                    add(entries, number, "", parts);
                }
            } else if (!within) {
                throw new MistakeException(
                        number, "'" + content + "' is indented, and only what is under operators: may be");
            } else if (operatorIndent == 0 || indent == operatorIndent) {
                operatorIndent = indent;
                operator = parts[0];
                if (!parts[1].isEmpty() || operator.isEmpty()) {
                    throw new MistakeException(
                            number,
                            "under operators: comes the name of an operator and a colon, not '" + content + "'");
                }
            } else if (indent > operatorIndent) {
                add(entries, number, operator, parts);
            } else {
                throw new MistakeException(number, "'" + content + "' is indented less than the operators above it");
            }
        }
        return entries;
    }

    private static void add(List<Entry> entries, int line, String operator, String[] parts) throws MistakeException {
        Choice choice;
        try {
            choice = new Choice(operator, parts[0], parts[1]);
        } catch (IllegalArgumentException e) {
            throw new MistakeException(line, String.valueOf(e.getMessage()));
        }
        for (Entry other : entries) {
            if (other.choice().isOfSame(choice)) {
                throw new MistakeException(
                        line, "'" + choice.name() + "' is set twice, in line " + other.line() + " too");
            }
        }
        entries.add(new Entry(line, choice));
    }

    /** A {@code #} begins a comment at the beginning of a line or behind a space, outside of quotes. */
    private static String withoutComment(String line, int number) throws MistakeException {
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char at = line.charAt(i);
            if (quote != 0) {
                quote = at == quote ? 0 : quote;
            } else if ((at == '\'' || at == '"') && (i == 0 || !Character.isLetterOrDigit(line.charAt(i - 1)))) {
                quote = at;
            } else if (at == '#' && (i == 0 || Character.isWhitespace(line.charAt(i - 1)))) {
                return line.substring(0, i);
            }
        }
        if (quote != 0) {
            throw new MistakeException(number, "a quote is opened and not closed");
        }
        return line;
    }

    /** Name and value. */
    private static String[] parts(String content, int number) throws MistakeException {
        char first = content.charAt(0);
        int colon;
        if (first == '\'' || first == '"') {
            int end = closing(content, first);
            colon = end + 1 < content.length() && content.charAt(end + 1) == ':' ? end + 1 : -1;
        } else {
            colon = content.endsWith(":") && content.indexOf(": ") < 0 ? content.length() - 1 : content.indexOf(": ");
        }
        if (colon < 0) {
            throw new MistakeException(
                    number, "a line is NAME: VALUE, with a space behind the colon, not '" + content + "'");
        }
        return new String[] {
            unquoted(content.substring(0, colon).strip()),
            unquoted(content.substring(colon + 1).strip())
        };
    }

    /** Where a quoted text ends; two quotes within it stand for one. */
    private static int closing(String content, char quote) {
        int at = 1;
        while (at < content.length()) {
            if (content.charAt(at) == quote) {
                if (at + 1 == content.length() || content.charAt(at + 1) != quote) {
                    return at;
                }
                at++;
            }
            at++;
        }
        return content.length();
    }

    private static String unquoted(String text) {
        boolean single = text.length() > 1 && text.startsWith("'") && text.endsWith("'");
        boolean twice = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        String within = single || twice ? text.substring(1, text.length() - 1) : text;
        return single ? within.replace("''", "'") : within;
    }

    // ---- writing

    /**
     * What is kept, with what was predicted and measured of each, and what was given.
     *
     * @param command that made it, for the first line
     */
    public static String of(TuneReport report, String command) {
        StringBuilder text = new StringBuilder("# ").append(oneLine(command)).append('\n');
        Effect total = report.total();
        text.append(String.format(
                Locale.ROOT,
                "# %s on %d cores%s%n",
                oneLine(report.topology()),
                report.cores(),
                total == null || report.isWithdrawn()
                        ? ""
                        : "; all of it: measured " + TuneText.times(total) + " the " + report.goal()));
        TuneReport.Reset reset = report.reset();
        Effect gain = reset == null || !report.isReset() ? null : reset.measured();
        if (gain != null) {
            text.append("# ")
                    .append(oneLine(TuneText.withoutReset(report)))
                    .append(": measured ")
                    .append(TuneText.times(gain))
                    .append(" the ")
                    .append(report.goal())
                    .append('\n');
        } else if (report.changes().isEmpty()) {
            text.append("# ").append(TuneText.withoutChanges(report)).append('\n');
        }
        for (Choice choice : report.kept()) {
            if (choice.operator().isEmpty()) {
                text.append(line("", report, choice));
            }
        }
        List<String> operators = report.kept().stream()
                .map(Choice::operator)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        if (!operators.isEmpty()) {
            text.append(OPERATORS).append(":\n");
        }
        for (String operator : operators) {
            text.append("  ").append(quoted(operator)).append(":\n");
            text.append(report.kept().stream()
                    .filter(choice -> choice.operator().equals(operator))
                    .map(choice -> line("    ", report, choice))
                    .collect(Collectors.joining()));
        }
        return text.toString().replace("\r", "");
    }

    private static String line(String indent, TuneReport report, Choice choice) {
        String why = "given";
        for (Step step : report.keptSteps()) {
            if (step.choice().equals(choice)) {
                Effect effect = step.measured();
                why = "predicted " + TuneText.predicted(step.predicted()) + ", measured "
                        + (effect == null ? "nothing" : TuneText.times(effect));
            }
        }
        return String.format(Locale.ROOT, "%-27s # %s%n", indent + choice.name() + ": " + choice.value(), why);
    }

    private static String quoted(String name) {
        return PLAIN.matcher(name).matches() ? name : "'" + oneLine(name).replace("'", "''") + "'";
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
