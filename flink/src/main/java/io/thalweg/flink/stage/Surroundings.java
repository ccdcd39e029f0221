// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.OperatorContext;

/** Name, task, time: what a user's operator may ask. */
class Surroundings implements OperatorContext {
    final Stage stage;
    private final boolean timed;
    long watermark = NO_TIME;

    Surroundings(Stage stage) {
        this.stage = stage;
        timed = stage.shape.timedOut();
    }

    @Override
    public String operator() {
        return stage.shape.place().operator();
    }

    @Override
    public int task() {
        return stage.task();
    }

    @Override
    public int parallelism() {
        return stage.getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    }

    @Override
    public long eventTime() {
        return timed ? stage.time : NO_TIME;
    }

    @Override
    public long stamp() {
        return timed ? stage.stamp : NO_TIME;
    }

    @Override
    public void countLate() {
        stage.reports().late();
    }

    @Override
    public void countBad(BadRecordException bad) {
        stage.bad(bad);
    }

    @Override
    public long watermark() {
        return watermark;
    }
}
