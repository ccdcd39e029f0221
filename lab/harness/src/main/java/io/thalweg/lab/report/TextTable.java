// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table in plain text that keeps to a width: the widest columns of text give way first, and what does not fit in a line of
 * its cell goes on in the next. Numbers stand to the right and are never broken, but where their text breaks.
 */
public final class TextTable {
    private static final String GAP = "  ";
    private static final int LEAST = 6;

    private final List<String> heads = new ArrayList<>();
    private final List<Boolean> numeric = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();

    /** A row of the table, or one text that runs across it, so far from the left. */
    private record Line(String[] cells, boolean across, int indent) {}

    public TextTable text(String head) {
        return column(head, false);
    }

    public TextTable number(String head) {
        return column(head, true);
    }

    private TextTable column(String head, boolean isNumber) {
        heads.add(head);
        numeric.add(isNumber);
        return this;
    }

    public void row(String... cells) {
        if (cells.length != heads.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + heads.size() + " columns");
        }
        lines.add(new Line(cells, false, 0));
    }

    /** Words below the last row, across the table. */
    public void note(String text) {
        lines.add(new Line(new String[] {text}, true, 4));
    }

    /** What the rows that follow belong to, across the table. */
    public void heading(String text) {
        lines.add(new Line(new String[] {text}, true, 0));
    }

    /** The table with lines of at most {@code columns} characters, if its numbers leave room for that. */
    public String toText(int columns) {
        int[] widths = widths(columns);
        StringBuilder out = new StringBuilder();
        append(out, heads.toArray(String[]::new), widths);
        for (int i = 0; i < widths.length; i++) {
            out.append(i == 0 ? "" : GAP).append("-".repeat(widths[i]));
        }
        out.append('\n');
        for (Line line : lines) {
            if (line.across()) {
                wrap(line.cells()[0], Math.max(20, columns - line.indent()))
                        .forEach(part -> out.append(" ".repeat(line.indent()))
                                .append(part)
                                .append('\n'));
            } else {
                append(out, line.cells(), widths);
            }
        }
        return out.toString();
    }

    private static int longestLine(String text) {
        return text.lines().mapToInt(String::length).max().orElse(0);
    }

    private int[] widths(int columns) {
        int[] widths = new int[heads.size()];
        int[] least = new int[heads.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = longestLine(heads.get(i));
            for (Line line : lines) {
                if (!line.across()) {
                    widths[i] = Math.max(widths[i], longestLine(line.cells()[i]));
                }
            }
            least[i] = numeric.get(i) ? widths[i] : Math.min(widths[i], LEAST);
        }
        int over = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - columns;
        while (over > 0) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                if (widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                return widths;
            }
            widths[widest]--;
            over--;
        }
        return widths;
    }

    private void append(StringBuilder out, String[] cells, int[] widths) {
        List<List<String>> wrapped = new ArrayList<>();
        int height = 1;
        for (int i = 0; i < cells.length; i++) {
            wrapped.add(wrap(cells[i], widths[i]));
            height = Math.max(height, wrapped.get(i).size());
        }
        for (int line = 0; line < height; line++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < cells.length; i++) {
                List<String> parts = wrapped.get(i);
                String part = line < parts.size() ? parts.get(line) : "";
                String space = " ".repeat(Math.max(0, widths[i] - part.length()));
                text.append(i == 0 ? "" : GAP).append(numeric.get(i) ? space + part : part + space);
            }
            out.append(text.toString().stripTrailing()).append('\n');
        }
    }

    /** Breaks between words, and after marks that join words; a word longer than the width is cut. */
    public static List<String> wrap(String text, int width) {
        List<String> parts = new ArrayList<>();
        for (String paragraph : text.split("\\R")) {
            String rest = paragraph.strip();
            while (rest.length() > width) {
                int cut = cut(rest, width);
                parts.add(rest.substring(0, cut).stripTrailing());
                rest = rest.substring(cut).stripLeading();
            }
            parts.add(rest);
        }
        return parts;
    }

    private static int cut(String text, int width) {
        int space = text.lastIndexOf(' ', width);
        if (space > width / 3) {
            return space;
        }
        for (int i = width; i > Math.max(1, width / 3); i--) {
            if ("-,./;".indexOf(text.charAt(i - 1)) >= 0 && !Character.isDigit(text.charAt(i))) {
                return i;
            }
        }
        return space > 0 ? space : width;
    }
}
