// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.cli.control.JobHealth;
import io.thalweg.cli.report.Kept;
import io.thalweg.cli.report.Report;
import io.thalweg.files.DeadLetterFile;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One job from its start to its end, as its user sees it. */
final class Run {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final int TICKS_BETWEEN_LINES = 4;
    private static final int TICKS_BETWEEN_WORDS = 8;

    /** Once its stop timeout is over, a job that the doctor watched is left to itself after so long: its last call does not end. */
    private static final Duration LEFT_AFTER = Duration.ofSeconds(5);

    /** A job that is told to stop by another command ends as after SIGTERM. */
    private static final int TERM = 15;

    private final Report report;
    private final DeadLetterFile deadLetters;
    private final @Nullable StatsOutput statsOutput;
    private final RunSettings settings;
    private final String on;
    private final @Nullable Endpoints endpoints;
    private final @Nullable Examination examination;
    private final AtomicInteger signal = new AtomicInteger();
    private int ticks;
    private int ticksSinceStop;

    /** The doctor has seen enough, and told the job to stop. */
    private boolean seenEnough;

    /**
     * @param on the runner, as {@code --on} names it
     * @param examination null if the doctor is not asked
     */
    Run(
            Report report,
            DeadLetterFile deadLetters,
            @Nullable StatsOutput statsOutput,
            RunSettings settings,
            String on,
            @Nullable Endpoints endpoints,
            @Nullable Examination examination) {
        this.report = report;
        this.deadLetters = deadLetters;
        this.statsOutput = statsOutput;
        this.settings = settings;
        this.on = on;
        this.endpoints = endpoints;
        this.examination = examination;
    }

    /**
     * Runs the job and tells how it goes.
     *
     * @return the exit code
     */
    int untilEnd(Runner runner, TopologyGraph graph) throws InterruptedException {
        RunningJob job = runner.start(graph);
        try (Operated operated = new Operated(
                job,
                settings,
                on,
                endpoints == null ? null : endpoints.page(),
                this::tell,
                () -> signal.compareAndSet(0, TERM))) {
            Signals.handle(number -> stop(job, operated, number));
            operated.open(graph.name(), this::tell);
            if (endpoints != null) {
                endpoints.of(() -> JobHealth.of(operated.status(), settings.checkpoints()), operated::begin);
                endpoints.look(job);
            }
            return untilEnd(job, operated);
        }
    }

    private int untilEnd(RunningJob job, Operated operated) throws InterruptedException {
        try {
            if (!watch(job)) {
                return left(job, operated);
            }
            JobStats end = job.await();
            awaitWordsOfStop();
            endExamination(job);
            try {
                finishOrShow(job, end);
            } finally {
                tellWhereToGoOn(job);
            }
            operated.ended(null);
            showEnd(job, null);
            return signal.get() != 0 && end.state() == JobState.CANCELLED
                    ? ExitCodes.SIGNAL + signal.get()
                    : ExitCodes.DONE;
        } catch (JobFailedException e) {
            awaitWordsOfStop();
            operated.ended(e);
            if (!settings.failOnBad()) { // it did not fail for the first of them
                report.failed(job.stats(), kept());
            }
            report.close();
            writeStatsOf(job, e);
            tellOfFailed(job, e);
            showEnd(job, Failures.oneLine(e));
            throw e;
        }
    }

    /** Until the job has ended; false if it does not, and the doctor waits no longer. */
    private boolean watch(RunningJob job) throws InterruptedException {
        while (!look(job)) {
            if (doesNotStop()) {
                return false;
            }
        }
        return true;
    }

    /**
     * What the doctor was asked for is what he saw, and the job that hangs in a call is the one that he is asked about: he does not
     * wait for its end without limit, as a run does.
     */
    private boolean doesNotStop() {
        return examination != null
                && examination.stopsTheJob()
                && TICK.multipliedBy(ticksSinceStop)
                                .compareTo(settings.stopTimeout().plus(LEFT_AFTER))
                        > 0;
    }

    /** Tells what was seen of a job that does not stop; the process ends without it. */
    private int left(RunningJob job, Operated operated) throws InterruptedException {
        endExamination(job);
        report.say("the job was told to stop and has not: " + waitsFor(job.stats()) + "; this process ends without it");
        finishOrShow(job, job.stats());
        operated.ended(null);
        showEnd(job, null);
        return signal.get() == 0 ? ExitCodes.DONE : ExitCodes.SIGNAL + signal.get();
    }

    /** Waits a moment, then tells how the job goes; true once it has ended. */
    private boolean look(RunningJob job) throws InterruptedException {
        try {
            if (job.await(TICK)) {
                return true;
            }
            report.flush();
            ticks++;
            if (report.wantsTick(ticks)) { // an idle job should not spend its time on measuring itself
                report.tick(ticks, job.stats());
            }
            tellWhatStopWaitsFor(job);
            show(job);
            examine(job);
            if (report.isOutputLost()) { // as after: thalweg run … | head
                job.cancel();
            }
            return false;
        } catch (OutOfMemoryError e) {
            return false; // the job will notice too, end, and so give some back
        }
    }

    private void show(RunningJob job) {
        if (endpoints != null && ticks % TICKS_BETWEEN_LINES == 0) {
            endpoints.look(job);
        }
    }

    /** The last word of those who show the job. */
    private void showEnd(RunningJob job, @Nullable String failure) throws InterruptedException {
        if (endpoints != null) {
            endpoints.end(job, failure);
        }
    }

    private void examine(RunningJob job) {
        if (examination == null || ticks % TICKS_BETWEEN_LINES != 0) {
            return;
        }
        examination.look(job);
        if (!seenEnough && signal.get() == 0 && examination.isOver(TICK.multipliedBy(ticks))) {
            examination.end(job);
            job.cancel();
            seenEnough = true;
        }
    }

    private void endExamination(RunningJob job) {
        if (examination != null) {
            examination.end(job);
        }
    }

    /** What was seen of a job that failed may say why; but the failure is what is told last. */
    private void tellOfFailed(RunningJob failed, JobFailedException failure) {
        if (examination != null) {
            try {
                examination.end(failed);
                examination.tell(report.results(), failure);
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Every two seconds, from the second on. */
    private void tellWhatStopWaitsFor(RunningJob job) {
        if (signal.get() == 0 && !seenEnough) {
            return;
        }
        ticksSinceStop++;
        if (ticksSinceStop % TICKS_BETWEEN_WORDS == 0 && !report.isQuiet()) {
            report.say("still stopping: " + waitsFor(job.stats()) + "; a second signal stops it at once");
        }
    }

    static String waitsFor(JobStats now) {
        List<String> behind = now.tasks().stream()
                .filter(task -> task.queueDepth() > 0)
                .map(task -> "'" + task.task() + "' has " + task.queueDepth() + " batches of records queued")
                .toList();
        return behind.isEmpty()
                ? "a call or the last checkpoint has not finished"
                : "task " + String.join(", ", behind);
    }

    /** Measurements of a job that failed are wanted too; but its failure is what is told last. */
    private void writeStatsOf(RunningJob failed, JobFailedException failure) {
        try {
            writeStats(failed.stats());
            report.close();
        } catch (RuntimeException e) {
            report.say(Failures.describe(e));
            failure.addSuppressed(e);
        }
    }

    /** Also of a job whose results or measurements are lost, those who show it hear the last word. */
    private void finishOrShow(RunningJob job, JobStats end) throws InterruptedException {
        try {
            finish(end);
        } catch (RuntimeException e) {
            showEnd(job, Failures.oneLine(e));
            throw e;
        }
    }

    /** What cannot be written keeps nothing else from being told. */
    private void finish(JobStats end) {
        List<Runnable> steps =
                List.of(() -> writeStats(end), () -> report.end(end, kept()), this::tellDiagnosis, this::checkOutput);
        RuntimeException failure = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                if (failure != null) {
                    report.say(Failures.describe(failure));
                }
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void tellDiagnosis() {
        if (examination != null) {
            examination.tell(report.results(), null);
        }
    }

    private void checkOutput() {
        if (report.isOutputLost()) {
            throw new ConnectorException("results could not be written to standard output: it is closed or full");
        }
    }

    private Kept kept() {
        return new Kept(deadLetters.path().toString(), deadLetters.count());
    }

    private void tellWhereToGoOn(RunningJob job) {
        CheckpointStats last = job.lastCheckpoint();
        if (last != null && !last.last() && !report.isQuiet() && !job.stoppedShort()) {
            report.say(
                    "checkpoint " + last.number() + " covers everything that was read; --restore latest restores it");
        }
    }

    private void writeStats(JobStats stats) {
        if (statsOutput != null) {
            statsOutput.write(stats, report.results());
        }
    }

    private void tell(String line) {
        if (!report.isQuiet()) {
            report.say(line);
        }
    }

    private void stop(RunningJob job, Operated operated, int number) {
        if (!signal.compareAndSet(0, number)) {
            Runtime.getRuntime().halt(ExitCodes.SIGNAL + number);
        }
        stop(job, operated);
    }

    private synchronized void stop(RunningJob job, Operated operated) {
        operated.stopping();
        job.cancel(); // first: nobody may read what is said
        tell("stopping; a second signal stops it at once");
    }

    /** What is said of the end comes behind them, and the process does not end without them. */
    private synchronized void awaitWordsOfStop() {
        // the thread that says them holds this
    }
}
