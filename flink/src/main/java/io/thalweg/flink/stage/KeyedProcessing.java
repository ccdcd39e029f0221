// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.ExpiringStates;
import io.thalweg.api.graph.ProcessingTimers;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedLifecycle;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import io.thalweg.flink.record.StableKey;
import io.thalweg.run.time.EventTimeRules;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.FunctionWithException;
import org.jspecify.annotations.Nullable;

/**
 * The part of a user's operator with keyed state and timers (Flink's) that does not depend on its inputs.
 *
 * @param <O> the operator
 */
abstract class KeyedProcessing<O extends KeyedLifecycle<Object, Object>> extends Stage
        implements Triggerable<StableKey, VoidNamespace> {
    private static final long serialVersionUID = 1L;

    private final OperatorSupplier<? extends O> supplier;
    private final Map<String, OutputTag<Object>> sides;

    private transient @Nullable O operator;
    private transient @Nullable Context context;
    private transient @Nullable Emitter emitter;
    private transient @Nullable Expiries expiries;

    KeyedProcessing(
            StageSettings settings, OperatorSupplier<? extends O> supplier, Map<String, OutputTag<Object>> sides) {
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
    void begin() throws Exception {
        Expiries cleaning = new Expiries(this::setCurrentKey);
        expiries = cleaning;
        Context around = new Context(
                this,
                broadcastStates(),
                getInternalTimerService("timers", VoidNamespaceSerializer.INSTANCE, this),
                getInternalTimerService("expiries", VoidNamespaceSerializer.INSTANCE, cleaning));
        cleaning.of(around.expiring);
        context = around;
        emitter = new Emitter(this, sides);
        O made = supplier.get();
        operator = made;
        around.firesByClock = ProcessingTimers.usedBy(made);
        restoreWatermark(around);
        try {
            made.open(around);
            checkDeclared(around.declared());
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
        around.opening = false;
    }

    @Override
    @Nullable Set<String> states() {
        return null;
    }

    /** State and timers of the current key. */
    static final class Context extends StageContext
            implements KeyedContext, KeyedAsyncContext, ExpiringStates.Host, UserState.Keys {
        private static final String PREFIX = "state ";

        private final InternalTimerService<VoidNamespace> timers;
        private final InternalTimerService<VoidNamespace> expiries;
        private final Set<String> names = new HashSet<>();
        final ExpiringStates expiring = new ExpiringStates(this, this);

        /** The operator implements {@code onProcessingTimer}. */
        private boolean firesByClock;

        Context(
                Stage stage,
                @Nullable BroadcastStates broadcasts,
                InternalTimerService<VoidNamespace> timers,
                InternalTimerService<VoidNamespace> expiries) {
            super(stage, broadcasts);
            this.timers = timers;
            this.expiries = expiries;
        }

        @Override
        public <S> ValueState<S> state(String name, Type<S> type) {
            return new UserState.OfValue<>(declare(name), keyed(name, stage -> stage.valueState(PREFIX + name, type)));
        }

        @Override
        public <E> ListState<E> listState(String name, Type<E> element) {
            return new UserState.OfList<>(declare(name), keyed(name, stage -> stage.listState(PREFIX + name, element)));
        }

        @Override
        public <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value) {
            return new UserState.OfMap<>(
                    declare(name), keyed(name, stage -> stage.mapState(PREFIX + name, field, value)));
        }

        @Override
        Set<String> declared() {
            Set<String> declared = new HashSet<>(super.declared());
            names.forEach(name -> declared.add(PREFIX + name));
            return declared;
        }

        private UserState declare(String name) {
            checkOpening(name);
            if (!names.add(name)) {
                throw new IllegalStateException("state '" + name + "' is declared twice");
            }
            return new UserState(name, this);
        }

        @Override
        public <S> ValueState<S> state(String name, Type<S> type, TimeToLive live) {
            return expiring.value(name, type, live);
        }

        @Override
        public <E> ListState<E> listState(String name, Type<E> element, TimeToLive live) {
            return expiring.list(name, element, live);
        }

        @Override
        public <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value, TimeToLive live) {
            return expiring.map(name, field, value, live);
        }

        @Override
        public long now(TimeToLive live) {
            return expiring.now(live);
        }

        @Override
        public boolean timed() {
            return timed;
        }

        @Override
        public void cleanByWatermark(long time) {
            expiries.registerEventTimeTimer(VoidNamespace.INSTANCE, time);
        }

        @Override
        public void cleanByClock(long epochMs) {
            expiries.registerProcessingTimeTimer(VoidNamespace.INSTANCE, epochMs);
        }

        private <F> F keyed(String name, FunctionWithException<Stage, F, Exception> state) {
            try {
                return state.apply(stage);
            } catch (Exception e) {
                throw new IllegalStateException("state '" + name + "' cannot be accessed: " + e.getMessage(), e);
            }
        }

        @Override
        public void checkKey() {
            if (opening || inBroadcast) {
                throw new IllegalStateException("state and timers belong to a key, and there is no current key");
            }
        }

        @Override
        public void setTimer(long time) {
            checkKey();
            timers.registerEventTimeTimer(VoidNamespace.INSTANCE, time);
        }

        @Override
        public void cancelTimer(long time) {
            checkKey();
            timers.deleteEventTimeTimer(VoidNamespace.INSTANCE, time);
        }

        @Override
        public void setProcessingTimer(long epochMs) {
            checkKey();
            ProcessingTimers.check(firesByClock);
            timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, epochMs);
        }

        @Override
        public void cancelProcessingTimer(long epochMs) {
            checkKey();
            timers.deleteProcessingTimeTimer(VoidNamespace.INSTANCE, epochMs);
        }

        @Override
        public long processingTime() {
            return timers.currentProcessingTime();
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (settings.timedOut() || mark.getTimestamp() == Long.MAX_VALUE) {
            context().reached(mark.getTimestamp());
        }
        super.processWatermark(mark);
        opened(expiries).onWatermark(mark.getTimestamp());
    }

    @Override
    public void onEventTime(InternalTimer<StableKey, VoidNamespace> timer) throws Exception {
        time = timer.getTimestamp();
        stamp = EventTimeRules.stampAt(time, forwarded); // a timer may have been set for a time long past
        try {
            operator().onTimer(timer.getKey().key(), timer.getTimestamp(), emitter());
            returned();
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }

    @Override
    public void onProcessingTime(InternalTimer<StableKey, VoidNamespace> timer) throws Exception {
        time = OperatorContext.NO_TIME;
        stamp = OperatorContext.NO_TIME;
        try {
            operator().onProcessingTimer(timer.getKey().key(), timer.getTimestamp(), emitter());
            returned();
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }

    @Override
    public void close() throws Exception {
        try {
            if (operator != null) {
                operator.close();
            }
        } finally {
            super.close();
        }
    }
}
