// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.time.Duration;
import java.util.BitSet;
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

    private long sinceNs;
    private long askNs;
    private boolean told;

    /** @param tasks how many the job has */
    SilenceWatch(String topology, int tasks, Consumer<String> warnings, long nowNs) {
        this.topology = topology;
        this.tasks = tasks;
        this.warnings = warnings;
        heardAt(nowNs);
    }

    private void heardAt(long nowNs) {
        sinceNs = nowNs;
        askNs = nowNs + MOMENT_NS;
        told = false;
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
     * Once for each silence, tells what the cluster says of the topology.
     *
     * @param stopping the user wants the job to end
     * @return the last message of a job for which there is nothing to wait; null to wait on
     */
    @Nullable ControlMessage look(Submitter.Running running, boolean stopping, long nowNs) {
        if (nowNs - askNs < 0) {
            return null;
        }
        askNs = nowNs + MOMENT_NS;
        Standing standing = running.standing();
        if (standing == null) {
            return null;
        }
        boolean never = !hasBegun() && standing.state() == Standing.State.WAITS;
        if (never && stopping) {
            return ControlMessage.of(ControlMessage.Kind.OVER, 0, 0);
        }
        if (standing.state() == Standing.State.GONE || (never && nowNs - sinceNs >= PATIENCE.toNanos())) {
            return ControlMessage.failedForGood(line(standing, nowNs));
        }
        if (!told) {
            told = true;
            warnings.accept(line(standing, nowNs)
                    + (never ? "; the job waits, " + PATIENCE.toMinutes() + " minutes at most" : ""));
        }
        return null;
    }

    private String line(Standing standing, long nowNs) {
        long seconds = Duration.ofNanos(nowNs - sinceNs).toSeconds();
        return "topology '" + topology + "' "
                + (hasBegun() ? "has said nothing for " : "has not begun on Storm after ") + seconds + " s: "
                + standing.text();
    }
}
