// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in a directory of parts.
 *
 * <pre>
 *  part-00003.csv                    all of task 3, in a job without checkpoints
 *  part-00003-000012.csv             what task 3 wrote before checkpoint 12
 *  .part-00003-000012-4fz….csv       the same, hidden until the checkpoint is complete
 *  .shown-00003-000012               task 3 has shown its parts up to checkpoint 12, or is about to
 * </pre>
 *
 * @param extension of the parts, {@code .csv}
 */
record PartNames(Path directory, String extension) {
    /** Which a job may have. */
    private static final int MOST_TASKS = 256;

    private static final Pattern HIDDEN = Pattern.compile("\\.part-([0-9]{5,9})-([0-9]{6,18})[-.].*");
    private static final Pattern TEMPORARY =
            Pattern.compile("\\.part-[0-9]{5,9}\\..*\\." + Temporaries.RANDOM + "\\.tmp");
    private static final Pattern LEDGER = Pattern.compile("\\.shown-([0-9]{5,9})-([0-9]{6,18})");

    /** What is in a directory for everybody to read, of a job without checkpoints and after the first one of a job with them. */
    static List<String> examples(String extension) {
        List<String> names = new ArrayList<>();
        for (int task = 0; task < MOST_TASKS; task++) {
            names.add(unchecked(task) + extension);
            names.add(numbered("part", task, 1) + extension);
        }
        return names;
    }

    /** Of a job without checkpoints. */
    Path part(int task) {
        return directory.resolve(unchecked(task) + extension);
    }

    private static String unchecked(int task) {
        return String.format(Locale.ROOT, "part-%05d", task);
    }

    Path part(long task, long checkpoint) {
        return directory.resolve(numbered("part", task, checkpoint) + extension);
    }

    Path newHidden(long task, long checkpoint) {
        return directory.resolve("." + numbered("part", task, checkpoint) + "-" + Temporaries.random() + extension);
    }

    Path ledger(long task, long checkpoint) {
        return directory.resolve("." + numbered("shown", task, checkpoint));
    }

    private static String numbered(String kind, long task, long checkpoint) {
        return String.format(Locale.ROOT, "%s-%05d-%06d", kind, task, checkpoint);
    }

    /** True if the task gives such names to its hidden parts. */
    boolean isHidden(String name, long task) {
        Matcher matcher = HIDDEN.matcher(name);
        return matcher.matches()
                && Long.parseLong(matcher.group(1)) == task
                && Pattern.matches(
                        Pattern.quote("." + numbered("part", task, Long.parseLong(matcher.group(2)))) + "-"
                                + Temporaries.RANDOM + Pattern.quote(extension),
                        name);
    }

    /** Some of the tasks that there were. */
    record Tasks(long remainder, long divisor) {
        boolean has(long task) {
            return task % divisor == remainder;
        }
    }

    /** Those that are hidden, and later than a checkpoint. */
    List<Path> hidden(Tasks tasks, long after) throws IOException {
        return list(HIDDEN, tasks, after);
    }

    /** Of a hidden part. */
    static long taskOf(Path hidden) {
        Matcher matcher = HIDDEN.matcher(String.valueOf(hidden.getFileName()));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(hidden + " is not the name of a hidden part");
        }
        return Long.parseLong(matcher.group(1));
    }

    /** Those that are visible, and later than a checkpoint. */
    List<Path> shown(Tasks tasks, long after) throws IOException {
        return list(shownParts(), tasks, after);
    }

    List<Path> ledgers(Tasks tasks) throws IOException {
        return list(LEDGER, tasks, -1);
    }

    private Pattern shownParts() {
        return Pattern.compile("part-([0-9]{5,9})-([0-9]{6,18})" + Pattern.quote(extension));
    }

    private List<Path> list(Pattern pattern, Tasks tasks, long after) throws IOException {
        return Temporaries.list(directory, name -> {
            Matcher matcher = pattern.matcher(name);
            return matcher.matches()
                    && tasks.has(Long.parseLong(matcher.group(1)))
                    && Long.parseLong(matcher.group(2)) > after;
        });
    }

    /** How far a task has shown its parts; 0 if it has shown none. */
    long shownUpTo(long task) throws IOException {
        long most = 0;
        for (Path ledger : ledgers(new Tasks(task, Long.MAX_VALUE))) {
            Matcher matcher = LEDGER.matcher(String.valueOf(ledger.getFileName()));
            most = matcher.matches() ? Math.max(most, Long.parseLong(matcher.group(2))) : most;
        }
        return most;
    }

    /** Parts without checkpoints of tasks that are not there any more. */
    List<Path> uncheckedBehind(int parallelism) throws IOException {
        Pattern unchecked = uncheckedParts();
        return Temporaries.list(directory, name -> {
            Matcher matcher = unchecked.matcher(name);
            return matcher.matches() && Long.parseLong(matcher.group(1)) >= parallelism;
        });
    }

    /** Some task of a job without checkpoints has not shown its part yet. */
    boolean someAreHidden() throws IOException {
        return !Temporaries.list(directory, name -> TEMPORARY.matcher(name).matches())
                .isEmpty();
    }

    private Pattern uncheckedParts() {
        return Pattern.compile("part-([0-9]{5,9})" + Pattern.quote(extension));
    }

    /** For a job with checkpoints: wants no parts of another one beside its own. */
    void beginChecked(boolean completed) throws IOException {
        refuse(Temporaries.list(directory, name -> name.startsWith("part-")));
        clear(completed);
    }

    /** For a job without: its parts replace those of the same format of another one without, and would be read beside any other. */
    void beginUnchecked(boolean completed) throws IOException {
        Pattern own = uncheckedParts();
        refuse(Temporaries.list(
                directory,
                name -> name.startsWith("part-") && !own.matcher(name).matches()));
        clear(completed);
    }

    private void refuse(List<Path> parts) {
        if (!parts.isEmpty()) {
            throw new ConnectorException("cannot write to " + directory + ": it holds "
                    + parts.get(0).getFileName()
                    + " of an earlier run, and this run would add parts to it; choose another directory");
        }
    }

    private void clear(boolean completed) throws IOException {
        Tasks all = new Tasks(0, 1);
        List<Path> hidden = hidden(all, -1);
        if (completed && !hidden.isEmpty()) {
            throw counted(directory, hidden.get(0), directory.resolve(".owner"));
        }
        List<Path> left = new ArrayList<>(hidden);
        left.addAll(ledgers(all));
        left.addAll(Temporaries.list(directory, name -> TEMPORARY.matcher(name).matches()));
        for (Path each : left) {
            Files.delete(each);
        }
    }

    /** What is hidden is not to be cleared away by a job that begins. */
    static ConnectorException counted(Path output, Path hidden, Path record) {
        return new ConnectorException("cannot write to " + output + ": a checkpoint of an earlier run needs "
                + hidden + ", which is still hidden; restore that checkpoint with --restore latest, or remove "
                + record
                + " to start without the output of that run");
    }
}
