// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import io.thalweg.api.connector.BadRecord;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;

/** Counts and keeps what is bad or late in one task of one operator. For the task's thread. */
public final class Reports {
    /** Begins the names of the accumulators; the operator's name follows. */
    public static final String BAD = "thalweg.bad/";

    public static final String LATE = "thalweg.late/";
    public static final String PASSED = "thalweg.passed/";

    /** How many tasks of a source have not come to the end of their input; the operator's name follows alone. */
    public static final String READING = "thalweg.reading/";

    public static final String PRINTED = "thalweg.printed/";

    private final OperatorInfo place;
    private final int task;
    private final BadRecords bad = new BadRecords();
    private final LongCounter late = new LongCounter();

    public Reports(OperatorInfo place, RuntimeContext context) {
        this.place = place;
        task = context.getTaskInfo().getIndexOfThisSubtask();
        context.addAccumulator(BAD + name(), bad);
        context.addAccumulator(LATE + name(), late);
    }

    private String name() {
        return nameOf(place.operator(), task);
    }

    /** How what one task counts is named: accumulators of one name are added up. */
    public static String nameOf(String operator, int task) {
        return operator + "[" + task + "]";
    }

    /** The operator whose tasks count under that name. */
    public static String operatorIn(String name, String kind) {
        return name.substring(kind.length(), name.lastIndexOf('['));
    }

    /**
     * A source or a sink: tells how many records passed.
     *
     * @param counter what Flink counts of them
     * @return what those are added to that passed before the checkpoint that the task continues from
     */
    public LongCounter passing(RuntimeContext context, Counter counter) {
        LongCounter passed = new RecordsInCounter(counter);
        context.addAccumulator(PASSED + name(), passed);
        return passed;
    }

    /** @throws StageFailure if the job is to end at the first bad record */
    public void bad(BadRecord record) {
        bad.add(place.operator(), record);
        if (place.failOnBad()) {
            throw new StageFailure(place.describe(task) + ": bad record in " + record.describe(), null);
        }
    }

    public void late() {
        late.add(1L);
    }

    /** What is kept in a checkpoint. */
    public long badSoFar() {
        return bad.count();
    }

    public long lateSoFar() {
        return late.getLocalValuePrimitive();
    }

    /** Goes on from a checkpoint. */
    public void restore(long badBefore, long lateBefore) {
        bad.addCount(badBefore);
        late.add(lateBefore);
    }
}
