// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.watch;

import io.thalweg.api.stats.CheckpointStats;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was last measured of a job, and columns of the last minutes. One thread looks, about once a second; any number of threads
 * read, and none of them waits for the job.
 */
public final class JobWatch {
    /** As many columns as are kept: ten minutes. */
    public static final int MOST_COLUMNS = 600;

    private static final int MOST_CHECKPOINTS = 50;

    /** An engine that refreshes its figures itself, every few seconds, is looked at over a longer time. */
    private static final int LOOKS_ELSEWHERE = 10;

    private static final int LOOKS_HERE = 2;

    private final Deque<JobSample> looks = new ArrayDeque<>();
    private final Deque<Column> columns = new ArrayDeque<>();
    private final Deque<CheckpointStats> checkpoints = new ArrayDeque<>();
    private long number;

    /**
     * What is known at one moment.
     *
     * @param now the newest look
     * @param before an earlier one, which rates are computed with; null if there is none, or the job was started anew since
     * @param columns those after the one asked for, the oldest first
     * @param checkpoints the newest ones that were seen, the oldest first
     */
    public record Seen(
            JobSample now, @Nullable JobSample before, List<Column> columns, List<CheckpointStats> checkpoints) {
        public Seen {
            columns = List.copyOf(columns);
            checkpoints = List.copyOf(checkpoints);
        }
    }

    /** Takes what was measured until now. */
    public synchronized void look(JobSample now) {
        JobSample last = looks.peekLast();
        if (last != null && !now.continues(last)) {
            boolean sameMoment = now.restarts() == last.restarts()
                    && now.stats().elapsedNs() == last.stats().elapsedNs();
            if (sameMoment) { // after the end, with the state in which it ended
                looks.removeLast();
            } else {
                looks.clear();
            }
        } else if (last != null) {
            number++;
            columns.add(Column.between(number, last, now));
        }
        looks.add(now);
        trim(looks, LOOKS_ELSEWHERE + 1);
        trim(columns, MOST_COLUMNS);
        CheckpointStats checkpoint = now.checkpoint();
        CheckpointStats newest = checkpoints.peekLast();
        if (checkpoint != null && (newest == null || newest.number() != checkpoint.number())) {
            checkpoints.add(checkpoint);
            trim(checkpoints, MOST_CHECKPOINTS);
        }
    }

    private static void trim(Deque<?> of, int size) {
        while (of.size() > size) {
            of.removeFirst();
        }
    }

    /**
     * What is known now; null before the first look.
     *
     * @param after number of the last column that is known already; 0 for all
     */
    public synchronized @Nullable Seen seen(long after) {
        JobSample now = looks.peekLast();
        if (now == null) {
            return null;
        }
        int back = EngineMetrics.isEmbedded(now.stats().plan()) ? LOOKS_HERE : LOOKS_ELSEWHERE;
        List<JobSample> all = new ArrayList<>(looks);
        JobSample before = all.size() == 1 ? null : all.get(Math.max(0, all.size() - 1 - back));
        List<Column> newer =
                columns.stream().filter(column -> column.number() > after).toList();
        return new Seen(now, before, newer, List.copyOf(checkpoints));
    }
}
