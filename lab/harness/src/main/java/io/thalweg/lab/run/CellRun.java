// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Delivery;
import io.thalweg.lab.driver.JobFigures;
import io.thalweg.lab.driver.Sample;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.sample.Sampler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One run of one cell, from the order to the answer: warm up, measure, stop, drain, check. The part that is measured is one whose rate has settled by its {@link Trend}, if there is one in time. */
final class CellRun {
    private final DriverProcess driver;
    private final Cell cell;
    private final Timing timing;
    private final Track track;
    private final @Nullable Profiles profiles;
    private final long orderedNs = System.nanoTime();

    /** A user's own topology runs to its end, however long that takes, but not for ever. */
    private static final Duration LONGEST_TOPOLOGY = Duration.ofMinutes(30);

    /** So many times as long as usual is a part measured, where less does not tell whether it has a trend. */
    private static final int LONGEST_PARTS = 3;

    /** Of a worker of a cluster, which has nobody to say why. */
    static final String BROKEN = "its meters could not be written, as on a full disk";

    private final boolean endsByItself;
    private final Duration endAtMost;
    private long fromNs;
    private long toNs;
    private @Nullable String answer;
    private @Nullable Recovery recovery;
    private @Nullable Delivery delivery;

    private CellRun(DriverProcess driver, Cell cell, Timing timing, @Nullable Profiles profiles) {
        this.driver = driver;
        this.profiles = profiles;
        this.cell = cell;
        this.timing =
                timing.measuring(Duration.ofSeconds(Math.max(cell.measureS(), cell.kills() ? Recovery.BEFORE : 0)));
        boolean topology = cell.workload() == Cell.Workload.TOPOLOGY;
        this.track = new Track(cell.folder(), topology || cell.countedAtSources());
        endsByItself = topology || cell.records() > 0;
        endAtMost = topology
                ? LONGEST_TOPOLOGY
                : endsByItself ? timing.startAtMost().multipliedBy(3) : timing.drainAtMost();
    }

    /** How a run ended: with a result, or refused for a reason. */
    record Outcome(@Nullable RunResult result, @Nullable String refused, Measured measured) {
        static Outcome failed(int turn, String reason) {
            RunResult result = new RunResult(turn, null, null, reason, 0, 0, false, null, 0, 0, null, null, List.of());
            return new Outcome(result, null, Measured.NOTHING);
        }
    }

    /**
     * Runs it; the cell's folder holds its settings already.
     *
     * @param profiles keeps what was recorded of the run; null if nothing is
     */
    static Outcome run(DriverProcess driver, Cell cell, Timing timing, int turn, @Nullable Profiles profiles)
            throws IOException {
        CellRun run = new CellRun(driver, cell, timing, profiles);
        try (Sampler sampler = new Sampler(driver.handle())) {
            driver.order(cell.folder().path());
            run.watch();
            return run.outcome(sampler, turn);
        }
    }

    private void watch() throws IOException {
        awaitFirst();
        if (answer == null) {
            measure();
        }
        if (answer == null && cell.kills()) {
            kill();
        }
        if (answer == null) {
            if (!endsByItself) {
                cell.folder().stop();
            }
            answer = driver.answer(endAtMost);
        }
        track.readOn();
    }

    private void awaitFirst() throws IOException {
        while (answer == null && track.counted(track.total()) == 0) {
            answer = driver.answer(Duration.ofMillis(50));
            track.readOn();
            if (answer == null
                    && System.nanoTime() - orderedNs > timing.startAtMost().toNanos()) {
                answer = "failed nothing came out in " + timing.startAtMost().toSeconds() + " s" + driver.lastWords();
                driver.kill();
            }
        }
    }

    /** Measures a part, and takes it for warming up if its rate has not settled; then the next one, until one has or time is up. */
    private void measure() throws IOException {
        long start = track.points().get(0).timeNs();
        fromNs = start + timing.warmUp().toNanos();
        while (answer == null) {
            await(fromNs + timing.measure().toNanos());
            // What comes out in a few bursts needs more time to have a trend or none.
            long longestNs = fromNs + LONGEST_PARTS * timing.measure().toNanos();
            while (answer == null && trend() == null && toNs < longestNs) {
                await(toNs + timing.measure().toNanos() / 2);
            }
            if (answer != null
                    || isSettled()
                    || toNs - start > timing.warmUpAtMost().toNanos()) {
                return;
            }
            fromNs = toNs;
        }
    }

    private void await(long untilNs) throws IOException {
        do {
            answer = driver.answer(Duration.ofMillis(100));
            track.readOn();
            toNs = System.nanoTime();
        } while (answer == null && toNs < untilNs);
    }

    /** Kills the process that the driver has named, and watches until the rate is what it was. */
    private void kill() throws IOException {
        OptionalLong worker = cell.folder().worker();
        long killNs = System.nanoTime();
        if (worker.isEmpty()
                || !ProcessHandle.of(worker.getAsLong())
                        .map(ProcessHandle::destroyForcibly)
                        .orElse(false)) {
            throw new LabException("there is no process that the driver has named to be killed");
        }
        long untilNs = killNs + timing.startAtMost().toNanos();
        do {
            answer = driver.answer(Duration.ofMillis(100));
            track.readOn();
            recovery = Recovery.of(track.points(), fromNs, killNs, System.nanoTime());
        } while (answer == null && recovery.problem() != null && System.nanoTime() < untilNs);
    }

    private @Nullable Trend trend() {
        return Trend.of(track.points(), fromNs, toNs);
    }

    private boolean isSettled() {
        Trend trend = trend();
        return trend != null && trend.isSettled();
    }

    private Outcome outcome(Sampler sampler, int turn) throws IOException {
        String end = answer == null ? "hung" : answer;
        if (end.startsWith("refused ")) {
            return new Outcome(null, end.substring("refused ".length()), Measured.NOTHING);
        }
        String reason = reason(end);
        if (cell.folder().isBroken()) {
            return Outcome.failed(turn, reason == null ? BROKEN : reason);
        }
        List<Track.Point> points = track.points();
        JobFigures job = reason == null ? JobFigures.read(cell.folder()) : null;
        if (points.size() < 2) {
            return job == null || track.total().sent() == 0
                    ? Outcome.failed(turn, reason == null ? "it was over before it could be measured" : reason)
                    : whole(job, turn);
        }
        long lastNs = points.get(points.size() - 1).timeNs();
        toNs = endsByItself ? Math.min(toNs, lastNs) : toNs; // an engine may take its time to say that all has come
        if (toNs - fromNs < timing.measure().toNanos() / 2) {
            // It ended by itself, sooner than it was to be measured: take the later two thirds.
            fromNs = points.get(points.size() / 3).timeNs();
            toNs = lastNs;
        }
        Sample total = track.total();
        Measured measured = Measured.of(
                        track, cell.folder(), sampler.samples(), points, fromNs, toNs, cell.crossings() < 2)
                .once(once(cell, total));
        Trend trend = trend();
        long first = points.get(0).timeNs();
        RunResult result = new RunResult(
                turn,
                reason == null ? measured.recordsPerS() : null,
                reason == null ? measured.latencyUs() : null,
                reason,
                (fromNs - first) / 1e9,
                (toNs - fromNs) / 1e9,
                isSettled(),
                trend == null ? null : trend.result(),
                total.sent(),
                total.received(),
                cell.folder().failed(),
                measured.cpuSPerMillion() > 0 ? (Double) measured.cpuSPerMillion() : null,
                measured.allocatedBytesPerRecord(),
                liveHeapMb(),
                reason == null ? measured.histogram() : null,
                of(job),
                profile(fromNs, toNs, measured.recordsPerS() * (toNs - fromNs) / 1e9),
                recovery == null ? null : recovery.result(delivery),
                measured.series());
        return new Outcome(result, null, measured);
    }

    /**
     * Of all that came out, the share that is no repetition: a record that is sent again, as a guarantee allows, is no second one. A run
     * in which a process is killed repeats records after its rate was measured.
     */
    static double once(Cell cell, Sample total) {
        boolean all = cell.workload() == Cell.Workload.TOPOLOGY || cell.kills() || cell.countedAtSources();
        return all || total.received() <= total.sent() ? 1 : (double) total.sent() / total.received();
    }

    /** A job that has ended before anything else of it could be seen: its rate is that from its start to its end. */
    private Outcome whole(JobFigures job, int turn) throws IOException {
        Sample total = track.total();
        double rate = total.sent() / job.elapsedS();
        double cpuSPerMillion = job.cpuS() / total.sent() * 1e6;
        RunResult result = new RunResult(
                turn,
                rate,
                null,
                null,
                0,
                job.elapsedS(),
                false,
                null,
                total.sent(),
                total.received(),
                cell.folder().failed(),
                cpuSPerMillion,
                null,
                null,
                null,
                of(job),
                profile(Long.MIN_VALUE, Long.MAX_VALUE, (double) total.sent()),
                null,
                List.of());
        return new Outcome(
                result,
                null,
                new Measured(
                        rate,
                        null,
                        cpuSPerMillion,
                        null,
                        0,
                        0,
                        null,
                        cell.folder().jvms(),
                        List.of()));
    }

    private RunResult.@Nullable Profile profile(long sinceNs, long untilNs, double records) throws IOException {
        return profiles == null ? null : profiles.keep(cell, sinceNs, untilNs, records);
    }

    private static RunResult.@Nullable Job of(@Nullable JobFigures job) {
        return job == null
                ? null
                : new RunResult.Job(
                        job.elapsedS(),
                        job.cpuS(),
                        job.outputs().stream()
                                .map(each -> new RunResult.Output(each.name(), each.records(), each.digest()))
                                .toList());
    }

    private @Nullable Double liveHeapMb() throws IOException {
        long bytes = cell.folder().liveHeap();
        return bytes == 0 ? null : bytes / (double) (1 << 20);
    }

    /** Why the run does not count; null if it does. */
    private @Nullable String reason(String end) throws IOException {
        if (end.equals("hung")) {
            driver.kill();
            Sample total = track.total();
            return "it did not end: " + total.received() + " of " + total.sent() + " records had come out after "
                    + endAtMost.toSeconds() + " s";
        }
        if (end.equals("ended")) {
            return driver.wasKilled()
                    ? "its process was killed, as the system does where memory runs out"
                    : "its process ended" + driver.lastWords();
        }
        if (end.startsWith("failed ")) {
            return end.substring("failed ".length());
        }
        if (!end.equals("done")) {
            throw new LabException("a driver answered '" + end + "'");
        }
        if (recovery != null) {
            delivery = Delivery.of(cell);
            return Validity.reason(cell, track.total(), delivery, recovery);
        }
        String wrong = Validity.reason(cell, track.total());
        return wrong == null ? Validity.misplaced(cell, track.totals()) : wrong;
    }
}
