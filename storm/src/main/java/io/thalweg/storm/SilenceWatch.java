// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.time.Duration;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of a topology of which nothing is heard, or nothing of some of its tasks: its workers have no slots, say, or end at their start.
 * Storm starts them again and again, and tells nobody. For one thread.
 */
final class SilenceWatch {
    /** Workers take seconds to start, and more where the machine is busy; those that run say something each second. */
    private static final long MOMENT_NS = Duration.ofSeconds(30).toNanos();

    /** How long a task may say nothing while others do: it may be in a call that takes long. */
    private static final long LONG_CALL_NS = Duration.ofMinutes(2).toNanos();

    /** As long as Flink lets a job wait for its slots. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final String topology;
    private final int tasks;
    private final Consumer<String> warnings;
    private final BooleanSupplier mayOpenAgain;

    /** The tasks of which something was heard. All must be open before one reads anything. */
    private final BitSet heard = new BitSet();

    /** When something was heard of each task. */
    private final long[] heardNs;

    /** Of the job. */
    private final Silence ofAll = new Silence(MOMENT_NS);

    /** Of the tasks of a job that has begun of which the longest nothing was heard. */
    private final Silence ofSome = new Silence(LONG_CALL_NS);

    /** How long each executor was up, at the last look. */
    private final Map<Integer, TopologyStatus.Up> up = new HashMap<>();

    private int deaths;

    private static final class Silence {
        private final long momentNs;

        /** What was told of in it. */
        private final Set<TopologyStatus.State> told = EnumSet.noneOf(TopologyStatus.State.class);

        private long sinceNs;
        private long askNs;

        /** When the topology was last known to have all of its workers. */
        private long wholeNs;

        Silence(long momentNs) {
            this.momentNs = momentNs;
        }

        void begins(long nowNs) {
            sinceNs = nowNs;
            wholeNs = nowNs;
            askNs = nowNs + momentNs;
            told.clear();
        }

        boolean isDue(long nowNs) {
            return nowNs - askNs >= 0;
        }
    }

    /**
     * @param tasks how many the job has
     * @param mayOpenAgain counts a worker that has died before the job had begun, and that Storm starts again; true if the job may wait
     *     for that one, too
     */
    SilenceWatch(String topology, int tasks, Consumer<String> warnings, BooleanSupplier mayOpenAgain, long nowNs) {
        this.topology = topology;
        this.tasks = tasks;
        this.warnings = warnings;
        this.mayOpenAgain = mayOpenAgain;
        heardNs = new long[tasks];
        ofAll.begins(nowNs);
        ofSome.begins(nowNs);
    }

    /** True once all tasks have opened. */
    boolean hasBegun() {
        return heard.cardinality() == tasks;
    }

    void heard(ControlMessage message, long nowNs) {
        boolean counts = message.kind() == ControlMessage.Kind.COUNTS;
        boolean isNew = counts && !heard.get(message.task());
        if (counts) {
            heard.set(message.task());
            heardNs[message.task()] = nowNs;
        }
        if (isNew || hasBegun()) {
            ofAll.begins(nowNs);
        }
    }

    private long longestNs(long nowNs) {
        long longestNs = nowNs;
        for (long each : heardNs) {
            longestNs = each - longestNs < 0 ? each : longestNs;
        }
        return longestNs;
    }

    private int silentTasks(long nowNs) {
        int silent = 0;
        for (long each : heardNs) {
            silent += nowNs - each >= MOMENT_NS ? 1 : 0;
        }
        return silent;
    }

    /**
     * Tells what the cluster says of the topology, once in each silence as long as it says the same.
     *
     * @param stopping the user wants the job to end
     * @return the last message of a job for which there is nothing to wait; null to wait on
     */
    @Nullable ControlMessage look(Submitter.Running running, boolean stopping, long nowNs) {
        if (hasBegun() && longestNs(nowNs) != ofSome.sinceNs) {
            ofSome.begins(longestNs(nowNs));
        }
        boolean all = ofAll.isDue(nowNs);
        if (!all && !(hasBegun() && ofSome.isDue(nowNs))) {
            return null;
        }
        Silence silence = all ? ofAll : ofSome;
        ofAll.askNs = all ? nowNs + MOMENT_NS : ofAll.askNs;
        ofSome.askNs = nowNs + MOMENT_NS;
        TopologyStatus standing = running.standing();
        return standing == null ? null : judged(standing, silence, stopping, nowNs);
    }

    private @Nullable ControlMessage judged(TopologyStatus standing, Silence silence, boolean stopping, long nowNs) {
        boolean waits = standing.state() == TopologyStatus.State.WAITS;
        if (standing.state() == TopologyStatus.State.RUNS) {
            silence.wholeNs = nowNs;
        }
        if (standing.state() == TopologyStatus.State.GONE) {
            return ControlMessage.failedForGood(line(standing.text(), silence, nowNs));
        }
        if (waits && stopping && !hasBegun()) {
            return ControlMessage.of(ControlMessage.Kind.OVER, 0, 0);
        }
        if (waits && stopping && nowNs - silence.wholeNs >= 2 * MOMENT_NS) {
            return ControlMessage.failedForGood(line(standing.text(), silence, nowNs)
                    + "; nobody is there to stop it, so it ends without a last checkpoint");
        }
        String died = died(standing);
        if (!died.isEmpty()) {
            return afterDeath(died, silence, nowNs);
        }
        if (waits && !hasBegun() && nowNs - silence.wholeNs >= PATIENCE.toNanos()) {
            return ControlMessage.failedForGood(line(standing.text(), silence, nowNs));
        }
        if ((silence == ofAll || waits) && silence.told.add(standing.state())) {
            warnings.accept(line(standing.text(), silence, nowNs)
                    + (waits && !hasBegun() ? "; the job waits, " + PATIENCE.toMinutes() + " minutes at most" : ""));
        }
        return null;
    }

    /**
     * Which workers have died since the last look, with the last error that Nimbus knows; empty if none has. That Storm has started them
     * again shows in executors that are up for a shorter time than before.
     */
    private String died(TopologyStatus standing) {
        Map<String, String> logs = new TreeMap<>();
        standing.up().forEach((executor, now) -> {
            TopologyStatus.Up before = up.put(executor, now);
            if (before != null && now.seconds() < before.seconds()) {
                logs.put(before.worker(), before.log());
            }
        });
        if (logs.isEmpty()) {
            return "";
        }
        return "the worker on " + String.join(", ", logs.keySet()) + " has died; Storm's logs there, "
                + String.join(", ", logs.values())
                + ", say why, such as too little memory" + standing.error();
    }

    /** What was open in a job that has begun is lost, and the worker may die too soon to say so. */
    private @Nullable ControlMessage afterDeath(String died, Silence silence, long nowNs) {
        String line = line(died, silence, nowNs);
        if (hasBegun()) {
            return ControlMessage.of(ControlMessage.Kind.LOST, 0, 0, line);
        }
        deaths++;
        if (!mayOpenAgain.getAsBoolean()) {
            return ControlMessage.failedForGood(line + "; that was death " + deaths
                    + " before all tasks had opened, so the job waits no longer; --restart sets how many it waits for");
        }
        warnings.accept(line + "; Storm starts it again");
        return null;
    }

    private String line(String what, Silence silence, long nowNs) {
        long seconds = Duration.ofNanos(nowNs - silence.sinceNs).toSeconds();
        String since;
        if (!hasBegun()) {
            since = "has not begun on Storm after ";
        } else if (silence == ofAll) {
            since = "has said nothing for ";
        } else {
            since = "has heard nothing of " + silentTasks(nowNs) + " of its " + tasks + " tasks for ";
        }
        return "topology '" + topology + "' " + since + seconds + " s: " + what;
    }
}
