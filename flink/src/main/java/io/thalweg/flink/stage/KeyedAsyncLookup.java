// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.jspecify.annotations.Nullable;

/** Requests with state per key, which is Flink's. */
public final class KeyedAsyncLookup extends AsyncRequests {
    private static final long serialVersionUID = 1L;

    private final OperatorSupplier<? extends KeyedAsyncOperator<Object, Object, Object, Object>> supplier;
    private transient @Nullable KeyedAsyncOperator<Object, Object, Object, Object> operator;
    private transient @Nullable Expiries expiries;

    public KeyedAsyncLookup(StageSettings settings, KeyedAsyncMap spec) {
        super(settings, spec.options());
        supplier = spec.supplier();
    }

    @Override
    AsyncOperator<Object, Object> operator() {
        KeyedAsyncOperator<Object, Object, Object, Object> made = supplier.get();
        operator = made;
        return new AsyncOperator<>() {
            @Override
            public void open(OperatorContext task) throws Exception {
                Expiries cleaning = new Expiries(KeyedAsyncLookup.this::setCurrentKey);
                InternalTimerService<VoidNamespace> timers =
                        getInternalTimerService("expiries", VoidNamespaceSerializer.INSTANCE, cleaning);
                KeyedProcessing.Context around =
                        new KeyedProcessing.Context(KeyedAsyncLookup.this, null, timers, timers);
                cleaning.of(around.expiring);
                expiries = cleaning;
                made.open(around);
                checkDeclared(around.declared());
                around.opening = false;
            }

            @Override
            public CompletionStage<? extends @Nullable Object> apply(Object value) throws Exception {
                return made.apply(key(), value);
            }

            @Override
            public void close() throws Exception {
                made.close();
            }
        };
    }

    @Override
    @Nullable Object emitted(Object value, @Nullable Object answer) throws Exception {
        return opened(operator).answered(key(), value, answer);
    }

    @Override
    @Nullable Set<String> states() {
        return null;
    }

    /** State that has expired is removed when no record in flight could see it any more. */
    @Override
    void onPassed(long watermark) {
        opened(expiries).onWatermark(watermark);
    }
}
