// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The late records of an operator, and how late they were: by how many milliseconds its stream would have had to allow more disorder
 * for the record to be in time. For a window that is counted from the moment at which it was closed; for joins and users' operators
 * from the event time of the record, which may be more than was needed.
 *
 * @param operator for which they were late
 * @param records how many
 * @param lateBy how late, the least first; without those of which it is unknown
 * @param samples a few of them, the newest last: at most {@link #MOST_SAMPLES}
 */
public record LateRecords(String operator, long records, List<LateBy> lateBy, List<LateSample> samples)
        implements Serializable {
    /** Of an operator. */
    public static final int MOST_SAMPLES = 5;

    public LateRecords {
        lateBy = List.copyOf(lateBy);
        samples = List.copyOf(samples);
    }

    /** How late this share of them was at most, in milliseconds; 0 if that is unknown. */
    public long byMs(double share) {
        double wanted = share * lateBy.stream().mapToLong(LateBy::records).sum();
        long seen = 0;
        for (LateBy each : lateBy) {
            seen += each.records();
            if (seen >= wanted) {
                return each.upToMs();
            }
        }
        return 0;
    }

    /** Adds up those of all tasks by operator, the most first; samples are taken from all tasks that have some. */
    public static List<LateRecords> byOperator(Collection<LateRecords> ofTasks) {
        Map<String, List<LateRecords>> operators = new LinkedHashMap<>();
        ofTasks.forEach(each -> operators
                .computeIfAbsent(each.operator(), name -> new ArrayList<>())
                .add(each));
        return operators.values().stream()
                .map(LateRecords::together)
                .sorted(Comparator.comparingLong(LateRecords::records)
                        .reversed()
                        .thenComparing(LateRecords::operator))
                .toList();
    }

    private static LateRecords together(List<LateRecords> tasks) {
        if (tasks.size() == 1) {
            return tasks.get(0);
        }
        Map<Long, Long> lateBy = new TreeMap<>();
        List<LateSample> samples = new ArrayList<>();
        long records = 0;
        for (LateRecords task : tasks) {
            records += task.records;
            task.lateBy.forEach(each -> lateBy.merge(each.upToMs(), each.records(), Long::sum));
        }
        for (int age = 0; age < MOST_SAMPLES; age++) { // the newest of each task, then the second newest
            for (LateRecords task : tasks) {
                int place = task.samples.size() - 1 - age;
                if (place >= 0 && samples.size() < MOST_SAMPLES) {
                    samples.add(0, task.samples.get(place));
                }
            }
        }
        return new LateRecords(
                tasks.get(0).operator,
                records,
                lateBy.entrySet().stream()
                        .map(each -> new LateBy(each.getKey(), each.getValue()))
                        .toList(),
                samples);
    }
}
