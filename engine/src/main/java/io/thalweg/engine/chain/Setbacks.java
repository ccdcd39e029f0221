// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What earlier starts of a job failed at: which records failed by themselves, and how far the sources had read. A checkpoint
 * that holds all that had been read by then shows that the job got over those failures; they are forgotten. Any thread may call.
 */
public final class Setbacks {
    private record Split(String operator, String name) {}

    private final int tries;

    // Guarded by this.
    private final Map<String, Integer> failures = new HashMap<>();

    /** The farthest that a start has read that is over. */
    private final Map<Split, Long> read = new HashMap<>();

    /** Positions by checkpoint, until it is complete; those of inputs that have ended belong to all that follow, and stand at 0. */
    private final TreeMap<Long, Map<Split, Long>> saved = new TreeMap<>();

    /** @param tries after so many failures a record is given up; 0 for never */
    public Setbacks(int tries) {
        this.tries = tries;
    }

    public int tries() {
        return tries;
    }

    /** A record has failed by itself once more; true if it is to be given up. */
    synchronized boolean failed(String record) {
        return failures.merge(record, 1, Integer::sum) >= tries;
    }

    /** A start of the job is over, and had read a split so far. */
    public synchronized void read(String operator, String split, long position) {
        read.merge(new Split(operator, split), position, Math::max);
    }

    /**
     * A checkpoint will hold this position of a split.
     *
     * @param checkpoint 0 for all that follow, because the input of the task has ended
     */
    public synchronized void saved(long checkpoint, String operator, String split, long position) {
        saved.computeIfAbsent(checkpoint, number -> new HashMap<>()).put(new Split(operator, split), position);
    }

    /** A checkpoint is complete; true if it shows that the job got over all failures before the current start. */
    public synchronized boolean completed(long checkpoint) {
        Map<Split, Long> positions = new HashMap<>(saved.getOrDefault(0L, Map.of()));
        positions.putAll(saved.getOrDefault(checkpoint, Map.of()));
        saved.subMap(0L, false, checkpoint, true).clear();
        for (Map.Entry<Split, Long> each : read.entrySet()) {
            Long position = positions.get(each.getKey());
            if (position != null && position < each.getValue()) { // none: its input was over before the start
                return false;
            }
        }
        read.clear();
        failures.clear();
        return true;
    }

    /** One more start begins. */
    public synchronized void restarted() {
        saved.clear();
    }
}
