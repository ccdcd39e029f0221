// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.operator.HeldRecord;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SharedOutput;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ThreadedOperator;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An operator of one task that holds each record until the test says what becomes of it. */
final class Hands implements ThreadedOperator<Long, String>, Serializable {
    static final SideOutput<String> SIDE = SideOutput.of("side", String.class);

    private static final long serialVersionUID = 1L;

    /** Instead of holding the record. */
    interface Step {
        void of(Long value, Output<String> output) throws Exception;
    }

    private final transient Map<Long, HeldRecord<String>> held = new LinkedHashMap<>();
    private final transient List<Long> seen = new ArrayList<>();
    private transient @Nullable SharedOutput<String> shared;
    private transient @Nullable Step step;
    private transient boolean keptOpen;
    private transient boolean finished;
    private transient boolean closed;

    /** To be called instead of holding the record. */
    Hands doing(Step instead) {
        step = instead;
        return this;
    }

    /** Emits after the end of its input. */
    Hands keepingOpen() {
        keptOpen = true;
        return this;
    }

    @Override
    public List<SideOutput<?>> sideOutputs() {
        return List.of(SIDE);
    }

    @Override
    public void open(OperatorContext context) {
        closed = false;
        finished = false;
        held.clear();
    }

    @Override
    public void start(SharedOutput<String> output) {
        shared = output;
        if (keptOpen) {
            output.keepOpen();
        }
    }

    @Override
    public void process(Long value, Output<String> output) throws Exception {
        seen.add(value);
        if (step == null) {
            held.put(value, shared().hold());
        } else {
            step.of(value, output);
        }
    }

    @Override
    public void finish(Output<String> output) {
        finished = true;
    }

    @Override
    public void close() {
        closed = true;
    }

    SharedOutput<String> shared() {
        if (shared == null) {
            throw new IllegalStateException("not started");
        }
        return shared;
    }

    /** The last record of this value. */
    HeldRecord<String> held(long value) {
        HeldRecord<String> record = held.get(value);
        if (record == null) {
            throw new IllegalStateException("never saw " + value);
        }
        return record;
    }

    void held(long value, HeldRecord<String> record) {
        held.put(value, record);
    }

    /** All records, in their order. */
    List<Long> seen() {
        return List.copyOf(seen);
    }

    boolean finished() {
        return finished;
    }

    boolean closed() {
        return closed;
    }
}
