// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.stats.AlignmentStats;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.LateRecords;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.flink.report.AlignmentCounts;
import io.thalweg.flink.report.BadRecords;
import io.thalweg.flink.report.ConnectionCounts;
import io.thalweg.flink.report.LateCounts;
import io.thalweg.flink.report.Printed;
import io.thalweg.flink.report.Reports;
import io.thalweg.flink.report.Warned;
import io.thalweg.run.BadReasons;
import io.thalweg.run.BadRecordCount;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.util.OptionalFailure;
import org.apache.flink.util.SerializedValue;

/** Collects the reports of tasks and passes new ones on to the user. For the thread that watches the job. */
final class ReportCollector {
    private final String topology;
    private final RunSettings settings;
    private final List<String> sources;
    private final List<String> sinks;
    private final Map<String, Object> values = new TreeMap<>();
    private final Map<String, Integer> printed = new HashMap<>();
    private final Map<String, Earlier> earlier = new HashMap<>();

    /** How many lines of an attempt of a task were passed on. */
    private final Map<String, Integer> warned = new HashMap<>();

    /** The bad records of a task that the attempts before the last one have sent. */
    private static final class Earlier {
        final List<BadRecords.Kept> kept = new ArrayList<>();

        /** How many of the last attempt's count are among them, or in the dead letters of a job before. */
        long counted;

        Earlier(BadRecords.Seen first) {
            counted = first.attempt() == 0 ? first.before() : 0;
        }

        /** An attempt continues from a checkpoint that counts some of those, and reads the others again. */
        void add(BadRecords.Seen last, BadRecords.Seen next) {
            kept.addAll(last.first());
            counted += Math.max(0, Math.min(last.first().size(), next.before() - last.before()));
        }
    }

    ReportCollector(String topology, RunSettings settings, List<String> sources, List<String> sinks) {
        this.topology = topology;
        this.settings = settings;
        this.sources = sources;
        this.sinks = sinks;
    }

    /** Takes accumulators: as objects while the job runs, or serialized at its end. */
    void take(Map<String, ?> accumulators) {
        accumulators.forEach((name, value) -> {
            Object read = value instanceof SerializedValue<?> serialized ? read(serialized) : value;
            if (read instanceof OptionalFailure<?> either) {
                read = either.isFailure() ? null : either.getUnchecked();
            }
            if (read != null) {
                Object before = values.put(name, read);
                if (read instanceof BadRecords.Seen seen) {
                    Earlier known = earlier.computeIfAbsent(name, first -> new Earlier(seen));
                    if (before instanceof BadRecords.Seen last && last.attempt() < seen.attempt()) {
                        known.add(last, seen);
                    }
                }
            }
        });
    }

    private static Object read(SerializedValue<?> value) {
        try {
            return value.deserializeValue(ReportCollector.class.getClassLoader());
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("the reports of the job's tasks cannot be read: " + e, e);
        }
    }

    /** The sum of all counters whose names begin with {@code kind}. */
    private long sum(String kind) {
        long sum = 0;
        for (Map.Entry<String, Object> each : values.entrySet()) {
            if (each.getKey().startsWith(kind)) {
                sum += count(each.getValue());
            }
        }
        return sum;
    }

    private static long count(Object value) {
        return value instanceof BadRecords.Seen seen ? seen.count() : value instanceof Long number ? number : 0;
    }

    long recordsIn() {
        return passed(sources);
    }

    long recordsOut() {
        return passed(sinks);
    }

    private long passed(List<String> operators) {
        long sum = 0;
        for (Map.Entry<String, Object> each : values.entrySet()) {
            String name = each.getKey();
            if (name.startsWith(Reports.PASSED) && operators.contains(Reports.operatorIn(name, Reports.PASSED))) {
                sum += count(each.getValue());
            }
        }
        return sum;
    }

    /** The number of records that sinks of a task have got. */
    long recordsOut(List<String> operators, int task) {
        return sum(Reports.PASSED, operators.stream().filter(sinks::contains).toList(), task);
    }

    long recordsBad(List<String> operators, int task) {
        return sum(Reports.BAD, operators, task);
    }

    long recordsLate(List<String> operators, int task) {
        return sum(Reports.LATE, operators, task);
    }

    List<LateRecords> late(List<String> operators, int task) {
        List<LateRecords> all = new ArrayList<>();
        for (String name : operators) {
            if (values.get(Reports.LATENESS + Reports.nameOf(name, task)) instanceof LateCounts.Seen seen) {
                all.addAll(seen.records());
            }
        }
        return all;
    }

    AlignmentStats alignment(List<String> operators, int task) {
        return new AlignmentStats(
                (int) sum(AlignmentCounts.HELD_SPLITS, operators, task),
                sum(AlignmentCounts.HELD_NS, operators, task),
                sum(AlignmentCounts.AHEAD_MS, operators, task));
    }

    List<ConnectionStats> connections(List<String> operators, int task) {
        List<ConnectionStats> all = new ArrayList<>();
        for (String name : operators) {
            if (values.get(Reports.CONNECTIONS + Reports.nameOf(name, task)) instanceof ConnectionCounts.Seen seen) {
                all.addAll(seen.systems());
            }
        }
        return all;
    }

    InputStats input(List<String> operators, int task) {
        for (String name : operators) {
            if (values.get(Reports.INPUT + Reports.nameOf(name, task)) instanceof InputStats input) {
                return input;
            }
        }
        return InputStats.NONE;
    }

    private long sum(String kind, List<String> operators, int task) {
        return operators.stream()
                .mapToLong(name -> count(values.getOrDefault(kind + Reports.nameOf(name, task), 0L)))
                .sum();
    }

    long recordsBad() {
        return sum(Reports.BAD);
    }

    long recordsLate() {
        return sum(Reports.LATE);
    }

    BadReasons reasons() {
        BadReasons all = new BadReasons();
        for (Object value : values.values()) {
            if (value instanceof BadRecords.Seen seen) {
                seen.reasons().forEach(all::add);
            }
        }
        return all;
    }

    /** @param tasks the last measured stats */
    BadRecordCount tally(List<TaskStats> tasks) {
        long unread = 0;
        for (Map.Entry<String, Object> each : values.entrySet()) {
            String name = each.getKey();
            if (name.startsWith(Reports.BAD) && sources.contains(Reports.operatorIn(name, Reports.BAD))) {
                unread += count(each.getValue());
            }
        }
        Map<List<String>, Long> into = new HashMap<>();
        tasks.forEach(task -> into.merge(task.operators(), task.recordsIn(), Long::sum));
        long read = recordsIn() + unread;
        for (long in : into.values()) {
            read = Math.max(read, in);
        }
        return BadRecordCount.of(read, recordsBad(), recordsBad());
    }

    /** True if every task of every source has reached the end of its input. */
    boolean allRead() {
        return sources.stream()
                .map(name -> values.get(Reports.READING + name))
                .allMatch(reading -> reading != null && count(reading) == 0);
    }

    /** Prints what tasks have printed since the last call. */
    void tellPrinted() {
        for (String sink : sinks) {
            if (values.get(Reports.PRINTED + sink) instanceof Printed.Texts texts) {
                texts.byTask().forEach((task, text) -> tell(sink + "/" + task, text));
            }
        }
    }

    private void tell(String from, String text) {
        int reported = printed.getOrDefault(from, 0);
        if (text.length() > reported) {
            settings.console().print(text.substring(reported));
            settings.console().flush();
            printed.put(from, text.length());
        }
    }

    /** Passes on what tasks have told since the last call. */
    void tellWarnings() {
        values.forEach((name, value) -> {
            if (name.startsWith(Reports.WARNED) && value instanceof Warned.Told told) {
                String from = name + "/" + told.attempt();
                told.first().stream().skip(warned.getOrDefault(from, 0)).forEach(settings.warnings());
                warned.merge(from, told.first().size(), Math::max);
            }
        });
    }

    private void tellOfMoreWarnings() {
        values.forEach((name, value) -> {
            if (value instanceof Warned.Told told && told.more() > 0) {
                settings.warnings()
                        .accept("operator '" + Reports.operatorIn(name, Reports.WARNED) + "': " + told.more()
                                + " more lines for you are only in Flink's log, on the machine of its task");
            }
        });
    }

    /** Passes on everything that is left; called once, at the end. */
    void tellAll() {
        tellPrinted();
        tellWarnings();
        tellOfMoreWarnings();
        long unsent = 0;
        boolean restarted = false;
        for (Map.Entry<String, Object> each : values.entrySet()) {
            Earlier before = earlier.get(each.getKey());
            if (before != null && each.getValue() instanceof BadRecords.Seen seen) {
                before.kept.forEach(this::tell);
                seen.first().forEach(this::tell);
                unsent += seen.count() - seen.first().size() - before.counted;
                restarted |= seen.attempt() > 0;
            }
        }
        if (unsent > 0) {
            settings.warnings()
                    .accept(unsent
                            + " bad records were counted, but are not in the dead letters: Flink sends back only the first of each task"
                            + (restarted ? ", and of one that failed only what it had sent before" : ""));
        }
    }

    private void tell(BadRecords.Kept kept) {
        settings.badRecords().bad(topology, kept.operator(), kept.record());
    }
}
