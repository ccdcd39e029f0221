// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The failures of earlier attempts of a job: which records failed by themselves, and how far sources had read. A
 * checkpoint beyond those positions shows that the job got past the failures; then they are forgotten. Any thread may
 * call.
 */
public final class FailureHistory {
    private record Split(String operator, String name) {}

    private final int tries;

    // Guarded by this.
    private final Map<String, Integer> failures = new HashMap<>();

    /** The greatest position that an earlier attempt has read to. */
    private final Map<Split, Long> read = new HashMap<>();

    /**
     * Positions by checkpoint, until it is complete. Key 0 holds those of inputs that have ended, which belong to all
     * checkpoints.
     */
    private final TreeMap<Long, Map<Split, Long>> saved = new TreeMap<>();

    /** @param tries how many failures make a record be dropped; 0 means never */
    public FailureHistory(int tries) {
        this.tries = tries;
    }

    public int tries() {
        return tries;
    }

    /** Counts a failure of a record; true if the record is to be dropped. */
    synchronized boolean failed(String record) {
        return failures.merge(record, 1, Integer::sum) >= tries;
    }

    /** An attempt has ended, and had read a split to this position. */
    public synchronized void read(String operator, String split, long position) {
        read.merge(new Split(operator, split), position, Math::max);
    }

    /**
     * A checkpoint will hold this position of a split.
     *
     * @param checkpoint 0 for all later ones, because the input of the task has ended
     */
    public synchronized void saved(long checkpoint, String operator, String split, long position) {
        saved.computeIfAbsent(checkpoint, number -> new HashMap<>()).put(new Split(operator, split), position);
    }

    /** A checkpoint is complete; true if it shows that the job got past all failures of earlier attempts. */
    public synchronized boolean completed(long checkpoint) {
        Map<Split, Long> positions = new HashMap<>(saved.getOrDefault(0L, Map.of()));
        positions.putAll(saved.getOrDefault(checkpoint, Map.of()));
        saved.subMap(0L, false, checkpoint, true).clear();
        for (Map.Entry<Split, Long> each : read.entrySet()) {
            Long position = positions.get(each.getKey());
            if (position != null && position < each.getValue()) { // null: its input had ended before this attempt
                return false;
            }
        }
        read.clear();
        failures.clear();
        return true;
    }

    /** A new attempt begins. */
    public synchronized void restarted() {
        saved.clear();
    }
}
