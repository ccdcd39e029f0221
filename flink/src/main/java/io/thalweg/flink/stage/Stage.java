// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.stats.LateSample;
import io.thalweg.flink.record.CodecSerializer;
import io.thalweg.flink.record.StableKey;
import io.thalweg.flink.record.Stamped;
import io.thalweg.flink.report.AllOpened;
import io.thalweg.flink.report.Reports;
import io.thalweg.flink.report.StageFailure;
import io.thalweg.flink.source.CurrentRecord;
import io.thalweg.run.LateLog;
import io.thalweg.run.time.EventTimeRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.LongPrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Base of a topology's operators as operators of Flink. Emits new StreamRecord objects: writing to an old object costs
 * more, because of the write barrier of the garbage collector.
 */
abstract class Stage extends AbstractStreamOperator<Object> {
    private static final long serialVersionUID = 1L;

    final StageSettings settings;
    private transient @Nullable Reports reports;
    private transient @Nullable CurrentRecord currentRecord;
    private transient @Nullable ListState<Long> badKept;
    private transient @Nullable ListState<Long> lateKept;
    private transient @Nullable ListState<long[]> watermarkKept;

    /** Of a user's operator that is told the watermark. */
    private transient @Nullable StageContext told;

    /** What failed behind a user's operator, which may catch what it is thrown. */
    private transient @Nullable Exception failedBehind;

    /** The last watermark that was emitted. */
    transient long forwarded = OperatorContext.NO_TIME;

    /** The current record: its time and stamp, which are {@link OperatorContext#NO_TIME} if it has none. */
    transient long time;

    transient long stamp;

    private final boolean timedOut;
    private final boolean keyed;

    Stage(StageSettings settings) {
        this.settings = settings;
        timedOut = settings.timedOut();
        keyed = settings.keyed();
    }

    /** A failure further down the chain, passing through a user's operator, which may catch exceptions: so it is none. */
    static final class Downstream extends Error {
        private static final long serialVersionUID = 1L;

        final Exception failure;

        Downstream(Exception failure) {
            super(null, failure, false, false);
            this.failure = failure;
        }
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        forwarded = OperatorContext.NO_TIME;
        Reports made = new Reports(settings.place(), getRuntimeContext());
        reports = made;
        if (settings.checkpoints()) {
            badKept = counts(context, "bad");
            lateKept = counts(context, "late");
            made.restore(sum(badKept), sum(lateKept));
        }
    }

    static ListState<Long> counts(StateInitializationContext context, String name) throws Exception {
        return context.getOperatorStateStore().getListState(new ListStateDescriptor<>(name, LongSerializer.INSTANCE));
    }

    static long sum(ListState<Long> counts) throws Exception {
        long sum = 0;
        for (long count : counts.get()) {
            sum += count;
        }
        return sum;
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        if (badKept != null && lateKept != null) {
            badKept.update(List.of(reports().badSoFar()));
            lateKept.update(List.of(reports().lateSoFar()));
        }
        if (watermarkKept != null && told != null) {
            watermarkKept.update(List.of(new long[] {task(), tasks(), told.watermark}));
        }
    }

    @Override
    public final void open() throws Exception {
        super.open();
        currentRecord = CurrentRecord.ofThread();
        time = OperatorContext.NO_TIME;
        stamp = OperatorContext.NO_TIME;
        Set<String> kept = states();
        if (kept != null) {
            try {
                checkDeclared(kept);
            } catch (ConnectorException e) {
                throw failure(e);
            }
        }
        begin();
        AllOpened all = settings.allOpened();
        if (all != null) {
            all.opened(getRuntimeContext(), settings.place().operator());
        }
    }

    /** Opens what a subclass has. */
    void begin() throws Exception {}

    /**
     * What the operator keeps in checkpoints besides counts, in words: a state of another kind is refused. Null if a user's operator
     * says so when it opens.
     */
    @Nullable Set<String> states() {
        return Set.of();
    }

    final Reports reports() {
        return opened(reports);
    }

    final CurrentRecord currentRecord() {
        return opened(currentRecord);
    }

    static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not open");
        }
        return part;
    }

    final int task() {
        return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    final int tasks() {
        return getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    }

    // ---- records

    /**
     * Makes a record the current one; null if its key cannot be computed, which is reported.
     *
     * @param stamped true if it is a {@link Stamped}
     */
    final @Nullable Object taken(StreamRecord<Object> element, boolean stamped) throws Exception {
        Object value = element.getValue();
        if (stamped) {
            Stamped in = (Stamped) value;
            value = in.value();
            stamp = in.stamp();
            time = OperatorContext.NO_TIME;
            if (element.hasTimestamp()) {
                time = element.getTimestamp();
                stamp = Math.max(stamp, forwarded); // less only if time went on without an input, which was idle
            }
        }
        if (keyed && getCurrentKey() instanceof StableKey key && key.isBad()) {
            onThrown(key.reason());
            return null;
        }
        return value;
    }

    /** Emits a record with the time and stamp of the current one. */
    final void emit(Object value) {
        output.collect(record(value, time, stamp));
    }

    final void emit(@Nullable OutputTag<Object> side, Object value, long atTime, long withStamp) {
        StreamRecord<Object> record = record(value, atTime, withStamp);
        if (side == null) {
            output.collect(record);
        } else {
            output.collect(side, record);
        }
    }

    private StreamRecord<Object> record(Object value, long atTime, long withStamp) {
        if (!timedOut) {
            return new StreamRecord<>(value);
        }
        Stamped stamped = new Stamped(value, withStamp);
        return atTime == OperatorContext.NO_TIME ? new StreamRecord<>(stamped) : new StreamRecord<>(stamped, atTime);
    }

    // ---- time

    /** Without event time, only the last watermark is passed on, at the end of input. */
    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (settings.timedIn() || mark.getTimestamp() == Long.MAX_VALUE) {
            super.processWatermark(mark);
            forwarded = mark.getTimestamp();
        }
    }

    /**
     * Restores the watermark that a user's operator is told, which Flink does not save, and saves it from now on. With another number
     * of tasks the operator is told none until the first comes: the tasks that its keys come from had different ones.
     */
    final void restoreWatermark(StageContext context) throws Exception {
        if (!settings.checkpoints() || !timedOut) {
            return;
        }
        ListState<long[]> kept = getOperatorStateBackend()
                .getListState(new ListStateDescriptor<>("watermark", LongPrimitiveArraySerializer.INSTANCE));
        for (long[] each : kept.get()) {
            if (each[0] == task() && each[1] == tasks()) {
                context.watermark = each[2];
            }
        }
        watermarkKept = kept;
        told = context;
    }

    // ---- keyed state

    /** The current key. */
    final Object key() {
        return ((StableKey) getCurrentKey()).key();
    }

    /** One value for each key. */
    final <S> ValueState<S> valueState(String name, Type<S> type) throws Exception {
        return valueState(name, type, "");
    }

    /** @param holds purpose of the state: restoring a state of another purpose is refused */
    final <S> ValueState<S> valueState(String name, Type<S> type, String holds) throws Exception {
        return valueState(name, new CodecSerializer<>(type, holds));
    }

    final <S> ValueState<S> valueState(String name, CodecSerializer<S> serializer) throws Exception {
        return getPartitionedState(
                VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, new ValueStateDescriptor<>(name, serializer));
    }

    /** One list for each key. */
    final <E> ListState<E> listState(String name, Type<E> element) throws Exception {
        return getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ListStateDescriptor<>(name, new CodecSerializer<>(element)));
    }

    /** One map for each key. */
    final <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value) throws Exception {
        return getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new MapStateDescriptor<>(name, new CodecSerializer<>(field), new CodecSerializer<>(value)));
    }

    /** True if the second input is broadcast, so that the operator may have broadcast state. */
    boolean broadcasts() {
        return false;
    }

    final @Nullable BroadcastStates broadcastStates() {
        return broadcasts() ? new BroadcastStates(getOperatorStateBackend()) : null;
    }

    /**
     * Checks that the operator declares all states that are in the checkpoint. Flink would silently keep the
     * others, unused. Each task saves all names, and each name is given back to one task: it need not be a union list,
     * with which Flink takes no checkpoint once the operator has ended in some tasks.
     */
    final void checkDeclared(Set<String> now) throws Exception {
        if (!settings.checkpoints()) {
            return;
        }
        ListState<String> kept = getOperatorStateBackend()
                .getListState(new ListStateDescriptor<>("declared", StringSerializer.INSTANCE));
        for (String before : kept.get()) {
            if (!now.contains(before)) {
                String operator = settings.place().operator();
                throw new ConnectorException("the checkpoint holds '" + before + "', and the operator does not declare"
                        + " it any more; it declares " + new TreeSet<>(now)
                        + "; run the operator as it was, or continue without its state with --discard-state '"
                        + operator + "'");
            }
        }
        kept.update(List.copyOf(now));
    }

    // ---- failures

    /** What to throw in the user's operator where one behind it failed. */
    final Downstream behind(Throwable thrown) {
        Exception failure = thrown instanceof Exception exception ? exception : failure(thrown);
        failedBehind = failure;
        return new Downstream(failure);
    }

    /** A user's operator has returned: it may have caught what failed behind it. */
    final void returned() {
        if (failedBehind != null) {
            throw new Downstream(failedBehind);
        }
    }

    final void bad(BadRecordException bad) {
        bad(String.valueOf(bad.getMessage()), bad.bytes());
    }

    final void bad(String reason, byte[] bytes) {
        CurrentRecord from = currentRecord();
        reports().bad(new BadRecord(from.splitName(), from.line(), from.offset(), reason, bytes));
    }

    /**
     * The current record is late.
     *
     * @param byMs how late it is; not positive if that is unknown
     * @param record null if the operator does not say
     */
    final void countLate(long byMs, @Nullable Object record) {
        reports()
                .late(
                        byMs,
                        () -> new LateSample(
                                LateLog.text(record),
                                LateLog.line(currentRecord().splitName()),
                                known(time),
                                known(stamp),
                                known(forwarded),
                                Math.max(0, byMs)));
    }

    private static @Nullable Long known(long time) {
        return time == OperatorContext.NO_TIME ? null : Long.valueOf(time);
    }

    /** True if a record has no event time, such as one emitted by an operator at the end of input: it is bad, not late. */
    final boolean timeless(Object value) {
        if (time != OperatorContext.NO_TIME) {
            return false;
        }
        bad(EventTimeRules.MISSING, value.toString().getBytes(StandardCharsets.UTF_8));
        return true;
    }

    /**
     * Handles what a user's function threw: a bad record is counted, and the caller continues with the next; anything
     * else fails the task.
     */
    final void onThrown(Throwable thrown) throws Exception {
        if (failedBehind != null) {
            throw failedBehind;
        }
        if (thrown instanceof Downstream downstream) {
            throw downstream.failure;
        }
        if (thrown instanceof StageFailure reported) {
            throw reported;
        }
        if (thrown instanceof BadRecordException bad) {
            bad(bad);
            return;
        }
        throw failure(thrown);
    }

    final StageFailure failure(Throwable thrown) {
        CurrentRecord from = currentRecord();
        return from.readsSource()
                ? failure(from.splitName(), from.offset(), thrown)
                : new StageFailure(settings.place().describe(task()) + ": " + StageFailure.words(thrown), thrown);
    }

    final StageFailure failure(String split, long offset, Throwable thrown) {
        String where = settings.place().describe(task()) + ", split " + split + ", offset " + offset;
        return new StageFailure(where + ": " + StageFailure.words(thrown), thrown);
    }
}
