// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.operator.OperatorContext;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The context of a user's operator: name, task, time. */
class StageContext implements OperatorContext {
    final Stage stage;
    final boolean timed;
    private final @Nullable BroadcastStates broadcasts;
    long watermark = NO_TIME;
    boolean opening = true;

    /** The current record is a broadcast record, which has no key. */
    boolean inBroadcast;

    /** @param broadcasts null if the operator has no broadcast state */
    StageContext(Stage stage, @Nullable BroadcastStates broadcasts) {
        this.broadcasts = broadcasts;
        this.stage = stage;
        timed = stage.settings.timedOut();
    }

    @Override
    public String operator() {
        return stage.settings.place().operator();
    }

    @Override
    public int task() {
        return stage.task();
    }

    @Override
    public int parallelism() {
        return stage.tasks();
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
        late(null);
    }

    @Override
    public void countLate(Object record) {
        late(record);
    }

    private void late(@Nullable Object record) {
        boolean known = timed && stage.time != NO_TIME;
        long reached = Math.max(stage.stamp, watermark); // the watermark is ahead where an input was idle
        stage.countLate(known ? reached - stage.time + 1 : 0, record);
    }

    @Override
    public void countBad(BadRecordException bad) {
        stage.bad(bad);
    }

    @Override
    public ConnectionReports connections() {
        return stage.reports().connections();
    }

    @Override
    public <F, V> BroadcastState<F, V> broadcastState(String state, Type<F> field, Type<V> value) {
        if (broadcasts == null) {
            throw new IllegalStateException("broadcast state '" + state + "' is declared by an operator that is neither"
                    + " a BroadcastOperator nor a KeyedBroadcastOperator");
        }
        checkOpening(state);
        return broadcasts.declare(state, field, value);
    }

    /** Names of the states that the operator has declared. */
    Set<String> declared() {
        return broadcasts == null ? Set.of() : broadcasts.names();
    }

    final void checkOpening(String state) {
        if (!opening) {
            throw new IllegalStateException("state '" + state + "' is declared too late: do it in open");
        }
    }

    /** Sets whether the current record is a broadcast record. */
    final void broadcast(boolean now) {
        inBroadcast = now;
        if (broadcasts != null) {
            broadcasts.changing(now);
        }
    }

    final void reached(long mark) {
        watermark = Math.max(watermark, mark); // after a restore a split that was idle may hold it back
    }

    @Override
    public long watermark() {
        return watermark;
    }
}
