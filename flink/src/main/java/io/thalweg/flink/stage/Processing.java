// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.Checkpointed;
import io.thalweg.api.operator.Lifecycle;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.BooleanSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The part of a user's operator without keys that does not depend on its inputs. The last watermark is held back until
 * the operator has emitted what it emits at the end of input.
 *
 * @param <O> the operator
 */
abstract class Processing<O extends Lifecycle<Object>> extends Stage {
    private static final long serialVersionUID = 1L;

    private final OperatorSupplier<? extends O> supplier;
    private final Map<String, OutputTag<Object>> sides;

    private transient @Nullable O operator;
    private transient @Nullable StageContext context;
    private transient @Nullable Emitter emitter;
    private transient @Nullable ListState<byte[]> saved;
    private transient @Nullable ListState<Boolean> finishedKept;

    /** How many tasks there are. Tasks that had ended before a checkpoint are told, too. */
    private transient @Nullable BroadcastState<Integer, Integer> tasksKept;

    private transient boolean finished;

    private transient boolean restored;

    Processing(StageSettings settings, OperatorSupplier<? extends O> supplier, Map<String, OutputTag<Object>> sides) {
        super(settings);
        this.supplier = supplier;
        this.sides = Map.copyOf(sides);
    }

    final O operator() {
        return opened(operator);
    }

    final StageContext context() {
        return opened(context);
    }

    final Emitter emitter() {
        return opened(emitter);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        restored = context.isRestored();
        operator = supplier.get();
        if (!settings.checkpoints()) {
            return;
        }
        ListState<Boolean> kept = context.getOperatorStateStore()
                .getListState(new ListStateDescriptor<>("finished", BooleanSerializer.INSTANCE));
        finishedKept = kept;
        boolean any = false;
        boolean all = true;
        for (boolean each : kept.get()) {
            any = true;
            all &= each;
        }
        BroadcastState<Integer, Integer> count = context.getOperatorStateStore()
                .getBroadcastState(new MapStateDescriptor<>("tasks", IntSerializer.INSTANCE, IntSerializer.INSTANCE));
        tasksKept = count;
        finished = any ? all : Objects.equals(count.get(0), tasks()); // Flink keeps no state of a task that has ended
        if (operator instanceof Checkpointed) {
            saved = context.getOperatorStateStore()
                    .getListState(new ListStateDescriptor<>("operator", BytePrimitiveArraySerializer.INSTANCE));
        }
    }

    @Override
    void begin() throws Exception {
        StageContext around = new StageContext(this, broadcastStates());
        context = around;
        emitter = new Emitter(this, sides);
        restoreWatermark(around);
        try {
            operator().open(around);
            checkDeclared(around.declared());
            restore();
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
        around.opening = false;
    }

    @Override
    @Nullable Set<String> states() {
        return null;
    }

    private void restore() throws Exception {
        if (restored && saved != null && operator instanceof Checkpointed checkpointed) {
            List<byte[]> pieces = new ArrayList<>();
            saved.get().forEach(pieces::add);
            checkpointed.restore(pieces);
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (finishedKept != null && tasksKept != null) {
            finishedKept.update(List.of(finished));
            tasksKept.put(0, tasks());
        }
        if (saved != null && operator instanceof Checkpointed checkpointed) {
            try {
                saved.update(List.of(checkpointed.save()));
            } catch (Throwable thrown) {
                throw failure(thrown);
            }
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (settings.timedOut() || mark.getTimestamp() == Long.MAX_VALUE) {
            context().reached(mark.getTimestamp());
        }
        if (mark.getTimestamp() != Long.MAX_VALUE) {
            super.processWatermark(mark);
        }
    }

    /** All input has come. */
    final boolean isFinished() {
        return finished;
    }

    @Override
    public void finish() throws Exception {
        if (!finished) {
            finished = true;
            time = OperatorContext.NO_TIME;
            stamp = OperatorContext.NO_TIME;
            try {
                operator().finish(emitter());
                returned();
            } catch (Throwable thrown) {
                onThrown(thrown);
            }
        }
        super.processWatermark(Watermark.MAX_WATERMARK);
        super.finish();
    }

    @Override
    public void close() throws Exception {
        try {
            if (emitter != null) {
                operator().close();
            }
        } finally {
            super.close();
        }
    }
}
