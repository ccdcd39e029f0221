// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.web.runs.RunRecord;
import io.thalweg.web.watch.JobSample;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is measured of one run: every ten seconds, so that something is left of a run that is killed, and at its end. A thread of its
 * own writes; what goes wrong is said in one line, and the run goes on. One thread looks.
 */
final class RunHistory implements AutoCloseable {
    private static final String OPTION = "--history";
    private static final String NONE = "none";
    private static final int LOOKS = 10;
    private static final String NO_FOLDER =
            "there is no folder of this user to keep runs in; name a file with --history=FILE";

    private final RunRecord.Run run;
    private final RunRecord record;
    private final HistoryWriter writer;
    private int looks;

    private RunHistory(RunStore store, RunRecord.Run run, Consumer<String> say) {
        this.run = run;
        record = new RunRecord(run);
        writer = new HistoryWriter(store, "this run", say);
    }

    /**
     * The history of a run.
     *
     * @param option value of {@code --history}; empty for the usual file, null if it was not given
     * @param run that is kept
     * @param say told what goes wrong, in one line
     * @return null if the option is {@code none}, or it was not given and there is no place or no library for it
     * @throws UsageException if the option was given and cannot be followed
     */
    static @Nullable RunHistory of(@Nullable String option, RunRecord.Run run, Consumer<String> say) {
        RunStore store = store(option, RunStore.Kind.RUN, "this run", say);
        return store == null ? null : new RunHistory(store, run, say);
    }

    /**
     * Where one run or tuning is to be kept; as {@link #store(String, RunStore.Kind)}.
     *
     * @param what is kept, for people
     * @param say told in one line if there is no place for it, though the option was not given
     */
    static @Nullable RunStore store(@Nullable String option, RunStore.Kind kind, String what, Consumer<String> say) {
        RunStore store = store(option, kind);
        if (store == null && option == null && provider() != null) {
            say.accept(what + " is not kept: " + NO_FOLDER);
        }
        return store;
    }

    /** @throws UsageException if the value cannot be one: better known before a job is compiled */
    static void check(@Nullable String option) {
        if (option == null || option.isEmpty() || option.equals(NONE)) {
            return;
        }
        Path file = path(option);
        Path folder = file.toAbsolutePath().getParent();
        if (option.equals("-") || Files.isDirectory(file)) {
            throw new UsageException(
                    OPTION + " takes a file, not " + (option.equals("-") ? "-" : "the folder " + option));
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new UsageException(OPTION + ": there is no folder " + folder + " for " + option);
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageException(OPTION + ": '" + text + "' is no name of a file");
        }
    }

    /**
     * Where runs, or tunings, are kept.
     *
     * @return null if the option is {@code none}, or it was not given and there is no place or no library for it
     */
    static @Nullable RunStore store(@Nullable String option, RunStore.Kind kind) {
        if (NONE.equals(option)) {
            return null;
        }
        RunStoreProvider provider = provider();
        Path file = file(option);
        if (provider == null || file == null) {
            if (option == null) {
                return null;
            }
            throw new UsageException(
                    file == null
                            ? NO_FOLDER
                            : OPTION
                                    + " needs thalweg-history and its dependencies on the class path; ./thalweg in a clone adds them");
        }
        return provider.of(file, kind);
    }

    private static @Nullable RunStoreProvider provider() {
        try {
            Iterator<RunStoreProvider> all = ServiceLoader.load(
                            RunStoreProvider.class, RunHistory.class.getClassLoader())
                    .iterator();
            return all.hasNext() ? all.next() : null;
        } catch (ServiceConfigurationError e) { // its library is missing
            return null;
        }
    }

    /** The file that the option names, or the usual one, whose folder is made; null if there is no place for it. */
    static @Nullable Path file(@Nullable String option) {
        return option == null || option.isEmpty() ? StateFolder.history() : path(option);
    }

    /** Called about once a second. */
    void look(JobSample now) {
        record.look(now);
        if (looks++ % LOOKS == 0 && writer.isIdle()) {
            write(null, null);
        }
    }

    private void write(@Nullable String judgement, @Nullable String failure) {
        String summary = record.summary();
        String detail = record.detail(judgement, failure);
        if (summary != null && detail != null) {
            writer.write(new RunStore.Run(run.id(), run.startedMs(), summary, detail));
        }
    }

    /**
     * Keeps how the run ended; waits for it for a moment at most.
     *
     * @param judgement the last word of the doctor, as JSON; null if there is none
     * @param failure that ended the run, in one line; null if none did
     */
    void end(JobSample last, @Nullable String judgement, @Nullable String failure) throws InterruptedException {
        record.look(last);
        write(judgement, failure);
        writer.end();
    }

    @Override
    public void close() {
        writer.close();
    }
}
