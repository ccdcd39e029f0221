// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.time.Duration;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of a topology of which nothing is heard: its workers have no slots, say, or end at their start. Storm starts them again and
 * again, and tells nobody. For one thread.
 */
final class SilenceWatch {
    /** Workers take seconds to start, and more where the machine is busy; those that run say something each second. */
    private static final long MOMENT_NS = Duration.ofSeconds(30).toNanos();

    /** As long as Flink lets a job wait for its slots. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final String topology;
    private final int tasks;
    private final Consumer<String> warnings;

    /** The tasks of which something was heard. All must be open before one reads anything. */
    private final BitSet heard = new BitSet();

    /** What was told of in this silence. */
    private final Set<TopologyStatus.State> told = EnumSet.noneOf(TopologyStatus.State.class);

    private long sinceNs;
    private long askNs;

    /** When the topology was last known to have all of its workers. */
    private long wholeNs;

    /** @param tasks how many the job has */
    SilenceWatch(String topology, int tasks, Consumer<String> warnings, long nowNs) {
        this.topology = topology;
        this.tasks = tasks;
        this.warnings = warnings;
        heardAt(nowNs);
    }

    private void heardAt(long nowNs) {
        sinceNs = nowNs;
        wholeNs = nowNs;
        askNs = nowNs + MOMENT_NS;
        told.clear();
    }

    private boolean hasBegun() {
        return heard.cardinality() == tasks;
    }

    void heard(ControlMessage message, long nowNs) {
        boolean isNew = message.kind() == ControlMessage.Kind.COUNTS && !heard.get(message.task());
        if (isNew) {
            heard.set(message.task());
        }
        if (isNew || hasBegun()) {
            heardAt(nowNs);
        }
    }

    /**
     * Tells what the cluster says of the topology, once in each silence as long as it says the same.
     *
     * @param stopping the user wants the job to end
     * @return the last message of a job for which there is nothing to wait; null to wait on
     */
    @Nullable ControlMessage look(Submitter.Running running, boolean stopping, long nowNs) {
        if (nowNs - askNs < 0) {
            return null;
        }
        askNs = nowNs + MOMENT_NS;
        TopologyStatus standing = running.standing();
        if (standing == null) {
            return null;
        }
        boolean waits = standing.state() == TopologyStatus.State.WAITS;
        if (standing.state() == TopologyStatus.State.RUNS) {
            wholeNs = nowNs;
        }
        if (standing.state() == TopologyStatus.State.GONE) {
            return ControlMessage.failedForGood(line(standing, nowNs));
        }
        if (waits && stopping && !hasBegun()) {
            return ControlMessage.of(ControlMessage.Kind.OVER, 0, 0);
        }
        if (waits && stopping && nowNs - wholeNs >= 2 * MOMENT_NS) {
            return ControlMessage.failedForGood(
                    line(standing, nowNs) + "; nobody is there to stop it, so it ends without a last checkpoint");
        }
        if (waits && !hasBegun() && nowNs - wholeNs >= PATIENCE.toNanos()) {
            return ControlMessage.failedForGood(line(standing, nowNs));
        }
        if (told.add(standing.state())) {
            warnings.accept(line(standing, nowNs)
                    + (waits && !hasBegun() ? "; the job waits, " + PATIENCE.toMinutes() + " minutes at most" : ""));
        }
        return null;
    }

    private String line(TopologyStatus standing, long nowNs) {
        long seconds = Duration.ofNanos(nowNs - sinceNs).toSeconds();
        return "topology '" + topology + "' "
                + (hasBegun() ? "has said nothing for " : "has not begun on Storm after ") + seconds + " s: "
                + standing.text();
    }
}
