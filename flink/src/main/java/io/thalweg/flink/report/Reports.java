// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.LateSample;
import io.thalweg.run.LateLog;
import java.util.function.Supplier;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts bad and late records of an operator in one task, and keeps the first bad ones. For the task's thread, unless a method says otherwise. */
public final class Reports {
    /** Begins the names of the accumulators; the operator's name follows. */
    public static final String BAD = "thalweg.bad/";

    public static final String LATE = "thalweg.late/";
    public static final String PASSED = "thalweg.passed/";

    /** How many tasks of a source have not reached the end of their input; only the operator's name follows. */
    public static final String READING = "thalweg.reading/";

    public static final String PRINTED = "thalweg.printed/";

    public static final String CONNECTIONS = "thalweg.connections/";

    /** How late records were, and a few of them. */
    public static final String LATENESS = "thalweg.lateness/";

    public static final String INPUT = "thalweg.input/";

    /** What the operator tells its user. */
    public static final String WARNED = "thalweg.warned/";

    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);

    private final OperatorInfo place;
    private final RuntimeContext context;
    private final int task;
    private final BadRecords bad;
    private final LongCounter late = new LongCounter();
    private @Nullable ConnectionReports connections;
    private @Nullable LateLog lateLog;

    /** Null if it has told nothing; guarded by this. */
    private @Nullable Warned warned;

    public Reports(OperatorInfo place, RuntimeContext context) {
        this.place = place;
        this.context = context;
        task = context.getTaskInfo().getIndexOfThisSubtask();
        bad = new BadRecords(
                context.getTaskInfo().getAttemptNumber(), context.getTaskInfo().getNumberOfParallelSubtasks());
        context.addAccumulator(BAD + name(), bad);
        context.addAccumulator(LATE + name(), late);
    }

    public String operator() {
        return place.operator();
    }

    private String name() {
        return nameOf(place.operator(), task);
    }

    /** Suffix of the accumulators of a task; Flink adds up accumulators with the same name. */
    public static String nameOf(String operator, int task) {
        return operator + "[" + task + "]";
    }

    /** The operator in the name of an accumulator. */
    public static String operatorIn(String name, String kind) {
        return name.substring(kind.length(), name.lastIndexOf('['));
    }

    /**
     * Reports how many records have passed a source or sink.
     *
     * @param counter Flink's counter of them
     * @return a counter to which those are added that passed before the restored checkpoint
     */
    public LongCounter passing(RuntimeContext context, Counter counter) {
        LongCounter passed = new RecordsInCounter(counter);
        context.addAccumulator(PASSED + name(), passed);
        return passed;
    }

    /** @throws StageFailure if the job must fail at the first bad record */
    public void bad(BadRecord record) {
        bad.add(place.operator(), record);
        if (place.failOnBad()) {
            throw new StageFailure(place.describe(task) + ": bad record in " + record.describe(), null);
        }
    }

    /**
     * Counts a late record.
     *
     * @param byMs how late it was; not positive if that is unknown
     * @param sample makes what is told of the record, if it is one of those that are
     */
    public void late(long byMs, Supplier<LateSample> sample) {
        late.add(1L);
        LateLog log = lateLog;
        if (log == null) {
            log = new LateLog();
            lateLog = log;
            context.addAccumulator(LATENESS + name(), new LateCounts(log));
        }
        if (log.add(place.operator(), byMs)) {
            log.keep(place.operator(), sample.get());
        }
    }

    /** Where the operator tells that it lost a system; any thread may report there. */
    public ConnectionReports connections() {
        ConnectionReports known = connections;
        if (known == null) {
            ConnectionCounts counts = new ConnectionCounts(place.operator(), task);
            context.addAccumulator(CONNECTIONS + name(), counts);
            known = counts.reports();
            connections = known;
        }
        return known;
    }

    /** Tells the user a line, which is in Flink's log, too; any thread may call. */
    public void warn(String line) {
        LOG.warn("{}", line);
        synchronized (this) {
            Warned known = warned;
            if (known == null) {
                known = new Warned(
                        context.getTaskInfo().getAttemptNumber(),
                        context.getTaskInfo().getNumberOfParallelSubtasks());
                context.addAccumulator(WARNED + name(), known);
                warned = known;
            }
            known.add(line);
        }
    }

    /** The number of bad records, to be saved in a checkpoint. */
    public long badSoFar() {
        return bad.count();
    }

    public long lateSoFar() {
        return late.getLocalValuePrimitive();
    }

    /** Restores the counts from a checkpoint. */
    public void restore(long badBefore, long lateBefore) {
        bad.addCount(badBefore);
        late.add(lateBefore);
    }
}
