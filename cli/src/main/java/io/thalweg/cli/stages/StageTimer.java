// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import io.thalweg.cli.stages.Sample.Item;
import io.thalweg.engine.HostedChain;
import io.thalweg.engine.HostedPlan;
import io.thalweg.run.Clock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives an operator what was recorded, again and again, with later event times each time: windows of one pass fire in the
 * next, and state is what it is in a job that runs.
 */
final class StageTimer {
    private static final int MEASURED_ROUNDS = 9;

    /** A round of that length has enough records of all but the slowest operators. */
    private static final long ROUND_NS = Duration.ofMillis(50).toNanos();

    /** A round that others leave no core for ends after this. */
    private static final long LONGEST_ROUND_NS = 10 * ROUND_NS;

    /** Times are read after about this, so that a slow operator's round does not take a whole pass. */
    private static final long BETWEEN_READINGS_NS = Duration.ofMillis(1).toNanos();

    private static final int MOST_BETWEEN_READINGS = 1024;

    /** Timers and what waits for a batch get their turn after so many records. */
    private static final int RECORDS_OF_A_TURN = 256;

    /** Windows begin at whole days, whatever divides a day their length. */
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** Longer gaps of sessions than this are rare. */
    private static final long BETWEEN_PASSES_MS = 7 * DAY_MS;

    private final HostedPlan plan;
    private final Clock clock = Clock.system();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final CoreWait crowd = new CoreWait();
    private final long warmUpNs;

    /** @param warmUp how long an operator is given to become fast, at most */
    StageTimer(HostedPlan plan, Duration warmUp) {
        this.plan = plan;
        warmUpNs = warmUp.toNanos();
    }

    /**
     * Times an operator that has got a record at least.
     *
     * @throws io.thalweg.run.JobFailedException if it fails; the message is one line
     */
    StageTiming time(HostedPlan.Part part, Sample sample) {
        HostedChain chain = new HostedChain(plan, Hosting.SETTINGS, Map.of(), part, 0, Hosting.GO, new Swallowing());
        try {
            Rounds rounds = new Rounds(chain, sample.items());
            Warmth warmth = new Warmth();
            long untilNs = clock.nowNs() + warmUpNs;
            boolean warm = false;
            while (!warm && clock.nowNs() - untilNs < 0) {
                warm = warmth.isReachedWith(rounds.next());
            }
            double[] measured = new double[MEASURED_ROUNDS];
            long cpuNs = -threads.getCurrentThreadCpuTime();
            long wallNs = -clock.nowNs();
            long crowdedNs = -crowd.ns();
            for (int round = 0; round < MEASURED_ROUNDS; round++) {
                measured[round] = rounds.next();
            }
            crowdedNs += crowd.ns();
            wallNs += clock.nowNs();
            cpuNs += threads.getCurrentThreadCpuTime();
            double onCore = Math.min(1, (double) cpuNs / Math.max(1, wallNs - crowdedNs));
            return StageTiming.of(measured, onCore, crowd.isKnown() ? (double) crowdedNs / wallNs : null, !warm);
        } catch (Exception | Error e) {
            throw Hosting.failure(plan.graph().name(), part.name(), e);
        } finally {
            chain.abandon();
        }
    }

    /** Goes through the items in rounds, and from the last one to the first one. */
    private final class Rounds {
        private final HostedChain chain;
        private final Item[] items;
        private final long periodMs;
        private int at;
        private long shiftMs;
        private int sinceTurn;
        private int betweenReadings = 1;

        Rounds(HostedChain chain, List<Item> items) {
            this.chain = chain;
            this.items = items.stream()
                    .filter(item -> item.value() != null || isTime(item.time())) // not the end: there is another pass
                    .toArray(Item[]::new);
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            for (Item item : items) {
                if (isTime(item.time())) {
                    first = Math.min(first, item.time());
                    last = Math.max(last, item.time());
                }
            }
            long lengthMs = last < first ? 0 : last - first;
            periodMs = (lengthMs / DAY_MS + 1) * DAY_MS + BETWEEN_PASSES_MS;
        }

        /** A round; nanoseconds for each of its records. */
        double next() throws Exception {
            long beganNs = clock.nowNs();
            long crowdedNs = crowd.ns();
            long nowNs = beganNs;
            long ownNs = 0;
            long records = 0;
            while (records == 0 || (ownNs < ROUND_NS && nowNs - beganNs < LONGEST_ROUND_NS)) {
                long untilNs = nowNs + ROUND_NS - Math.min(ownNs, ROUND_NS / 2);
                while (nowNs - untilNs < 0) {
                    long beforeNs = nowNs;
                    records += some();
                    nowNs = clock.nowNs();
                    pace(nowNs - beforeNs);
                }
                ownNs = nowNs - beganNs - (crowd.ns() - crowdedNs);
            }
            return (double) Math.max(1, ownNs) / records;
        }

        private void pace(long tookNs) {
            if (tookNs < BETWEEN_READINGS_NS && betweenReadings < MOST_BETWEEN_READINGS) {
                betweenReadings *= 2;
            } else if (tookNs > 2 * BETWEEN_READINGS_NS && betweenReadings > 1) {
                betweenReadings /= 2;
            }
        }

        private long some() throws Exception {
            long records = 0;
            for (int i = 0; i < betweenReadings; i++) {
                Item item = items[at];
                Object value = item.value();
                if (value == null) {
                    chain.watermark(item.input(), shifted(item.time()));
                    sinceTurn = 0;
                } else {
                    chain.record(item.input(), value, shifted(item.time()), shifted(item.stamp()), 1);
                    records++;
                    sinceTurn++;
                    if (sinceTurn == RECORDS_OF_A_TURN) {
                        chain.turns();
                        sinceTurn = 0;
                    }
                }
                at++;
                if (at == items.length) {
                    at = 0;
                    shiftMs += periodMs;
                }
            }
            return records;
        }

        private long shifted(long time) {
            return isTime(time) ? time + shiftMs : time;
        }
    }

    /** The least and the greatest times stand for none, and for the end of all. */
    private static boolean isTime(long time) {
        return time > Long.MIN_VALUE / 2 && time < Long.MAX_VALUE / 2;
    }

    /** Takes what comes, and keeps the newest only: somebody might read it, so the operator must have made it. */
    private static final class Swallowing extends StageHost {
        @SuppressWarnings("UnusedVariable")
        private @Nullable Object newest;

        @Override
        public void record(int link, int target, Object value, long time, long stamp) {
            newest = value;
        }

        @Override
        public void watermark(int link, long watermark) {}

        @Override
        public void end(int link, boolean cancelled) {}
    }
}
