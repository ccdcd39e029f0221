// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.ConnectionStats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Counts the systems that tasks of one process lose, and tells of each loss and its end in one line. Any thread may call. */
public final class LostConnections {
    private final Clock clock;
    private final LossLines lines;
    private final Map<Key, Count> counts = new LinkedHashMap<>();

    /** Something was lost, ever: successes need no lock before. */
    private volatile boolean any;

    private record Key(String operator, int task, String system) {}

    private static final class Count {
        boolean lost;
        String reason = "";
        long times;
        long sinceNs;
        long beforeNs;
    }

    /**
     * Starts without losses.
     *
     * @param clock says how long a system is lost
     * @param warnings gets one line for each loss and each end of one, from the thread that reports it
     */
    public LostConnections(Clock clock, Consumer<String> warnings) {
        this.clock = clock;
        lines = new LossLines(warnings);
    }

    /** Where one task of an operator reports. */
    public ConnectionReports of(String operator, int task) {
        return new ConnectionReports() {
            @Override
            public void lost(String system, String reason) {
                onLost(new Key(operator, task, system), reason);
            }

            @Override
            public void restored(String system) {
                if (any) {
                    onRestored(new Key(operator, task, system));
                }
            }

            @Override
            public long nowNs() {
                return clock.nowNs();
            }
        };
    }

    private synchronized void onLost(Key key, String reason) {
        any = true;
        Count count = counts.computeIfAbsent(key, unused -> new Count());
        if (!count.lost) {
            count.lost = true;
            count.reason = PlainText.line(reason);
            count.times++;
            count.sinceNs = clock.nowNs();
            lines.look(all());
        }
    }

    private synchronized void onRestored(Key key) {
        Count count = counts.get(key);
        if (count != null && count.lost) {
            count.lost = false;
            count.beforeNs += lostForNs(count);
            lines.look(all());
        }
    }

    private long lostForNs(Count count) {
        return Math.max(1, clock.nowNs() - count.sinceNs);
    }

    /** What these operators of one task have lost. */
    public synchronized List<ConnectionStats> stats(Collection<String> operators, int task) {
        List<ConnectionStats> found = new ArrayList<>();
        counts.forEach((key, count) -> {
            if (key.task == task && operators.contains(key.operator)) {
                found.add(stats(key, count));
            }
        });
        return found;
    }

    private List<ConnectionStats> all() {
        List<ConnectionStats> all = new ArrayList<>();
        counts.forEach((key, count) -> all.add(stats(key, count)));
        return ConnectionStats.merged(all);
    }

    private ConnectionStats stats(Key key, Count count) {
        long lostForNs = count.lost ? lostForNs(count) : 0;
        return new ConnectionStats(
                key.operator, key.system, count.reason, count.times, count.beforeNs + lostForNs, lostForNs);
    }
}
