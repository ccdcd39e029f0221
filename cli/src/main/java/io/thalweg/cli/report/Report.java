// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import io.thalweg.api.stats.JobStats;
import io.thalweg.run.PlainText;
import io.thalweg.run.SlowCallListener;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a run tells its user on standard error: on a terminal lines that are rewritten a few times a second, into a
 * file or a pipe a line every five seconds; then a summary. Results have standard output for themselves.
 */
public final class Report implements SlowCallListener {
    private static final long LINE_EVERY_NS = 5_000_000_000L;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long QUARTER_NS = SECOND_NS / 4;
    private static final int RESULT_BUFFER_BYTES = 1 << 16;

    private final PrintStream error;
    private final boolean quiet;
    private final Style style;
    private final @Nullable LiveLines live;
    private final @Nullable ResultStream shared;
    private final PrintStream results;
    private final Progress progress = new Progress();

    /** The quarter of a second in which the job was last started, counted back from the last line. */
    private int beganAt;

    /** Since then. */
    private long nextLineNs = LINE_EVERY_NS;

    Report(
            OutputStream out,
            PrintStream error,
            boolean quiet,
            boolean outIsTerminal,
            boolean liveProgress,
            Style style) {
        this.error = error;
        this.quiet = quiet;
        this.style = style;
        live = liveProgress && !quiet ? new LiveLines(error) : null;
        shared = live != null && outIsTerminal ? new ResultStream(out, live) : null;
        results = new PrintStream(
                new BufferedOutputStream(shared == null ? out : shared, RESULT_BUFFER_BYTES),
                false,
                StandardCharsets.UTF_8);
    }

    /** Tells on the process's own standard error, and prints results on its standard output. */
    public static Report ofProcess(boolean quiet) {
        boolean terminal = Terminal.isError();
        return new Report(
                StandardOutput.ofProcess(),
                standardError(),
                quiet,
                Terminal.isOutput(),
                terminal,
                new Style(terminal && Terminal.isColourWanted()));
    }

    /** Standard error in UTF-8, whatever the locale. */
    public static PrintStream standardError() {
        return new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    }

    /** Where results are printed; any thread may. What was printed is passed on at the next {@link #flush}. */
    public PrintStream results() {
        return results;
    }

    /** Passes on what was printed; called a few times a second while the job runs. */
    public void flush() {
        results.flush();
    }

    /**
     * Whether it tells something at this quarter of a second of the job, or needs to know how far the job is then: always, if progress
     * is rewritten on a terminal; else a second before a line is due, since rates are those of the last second, and then until it was
     * told, since figures of a job on a cluster may be older.
     */
    public boolean wantsTick(int quarter) {
        long ns = (quarter - beganAt) * QUARTER_NS;
        return live != null || (!quiet && (ns == nextLineNs - SECOND_NS || ns >= nextLineNs));
    }

    /**
     * Called while the job runs, whenever it {@linkplain #wantsTick wants that}.
     *
     * @param stats of the job since it was last started
     */
    public void tick(int quarter, JobStats stats) {
        flush();
        if (quiet) {
            return;
        }
        if (progress.add(stats)) {
            begun(quarter, stats);
            nextLineNs = LINE_EVERY_NS;
        }
        if (live != null) {
            if (shared == null || !shared.isInsideLine()) {
                live.show(progress.lines(style));
            }
        } else if (stats.elapsedNs() >= nextLineNs) {
            say(progress.line());
            begun(quarter, stats);
            nextLineNs = (stats.elapsedNs() / LINE_EVERY_NS + 1) * LINE_EVERY_NS;
        }
    }

    /** Quarters that are counted last longer than those of a clock, the more the busier the machine is. */
    private void begun(int quarter, JobStats stats) {
        beganAt = quarter - (int) (stats.elapsedNs() / QUARTER_NS);
    }

    /** Passes on the last results, takes progress away and tells how the job ended. */
    public void end(JobStats stats, Kept badRecords) {
        close();
        if (!quiet) {
            error.print(Summary.of(stats, badRecords, style));
            error.flush();
        }
    }

    /**
     * Passes on the last results and takes progress away, of a job that failed; if bad records were kept, tells why they were
     * bad: that may be why it failed.
     */
    public void failed(JobStats stats, Kept badRecords) {
        close();
        if (!quiet && stats.recordsBad() > 0 && !stats.badReasons().isEmpty()) {
            error.print(Summary.ofBadRecords(stats, badRecords, style));
            error.flush();
        }
    }

    /** Passes on the last results and takes progress away. */
    public void close() {
        results.flush();
        if (live != null) {
            live.close();
        }
    }

    /** True if results could not be written: whoever read them is gone, or the disk is full. */
    public boolean isOutputLost() {
        return results.checkError();
    }

    /** A line for the user while the job runs. */
    public void say(String line) {
        if (live != null) {
            live.clear();
        }
        error.println("thalweg: " + PlainText.line(line));
    }

    /** A call holds a thread that others need; any thread may tell. */
    @Override
    public void slow(String topology, String task, String where) {
        if (!quiet) {
            say("slow: task '" + task + "' has blocked its thread for over a second"
                    + (where.isEmpty() ? "" : " in " + where) + "; mark what may block with blocking()");
        }
    }

    /** A task takes long to open, for which all others wait; any thread may tell. */
    @Override
    public void opening(String topology, String task, String where) {
        if (!quiet) {
            say("slow start: task '" + task + "' has been opening for over ten seconds"
                    + (where.isEmpty() ? "" : " in " + where) + "; no record is read before all tasks are open");
        }
    }

    /** Whether the user wants to hear of what goes well. */
    public boolean isQuiet() {
        return quiet;
    }
}
