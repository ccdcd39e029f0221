// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.ValueState;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Requests with state per key, which is Flink's. */
public final class KeyedAsyncLookup extends AsyncRequests {
    private static final long serialVersionUID = 1L;

    private final OperatorSupplier<? extends KeyedAsyncOperator<Object, Object, Object, Object>> supplier;
    private transient @Nullable KeyedAsyncOperator<Object, Object, Object, Object> operator;

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
                Context around = new Context(KeyedAsyncLookup.this);
                made.open(around);
                checkDeclared(around.names);
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

    /** State of the current key. */
    private static final class Context extends StageContext implements KeyedAsyncContext, UserState.Keys {
        private static final String PREFIX = "state ";

        private final Set<String> names = new HashSet<>();

        Context(Stage stage) {
            super(stage, null);
        }

        @Override
        public <S> ValueState<S> state(String name, Type<S> type) {
            checkOpening(name);
            if (!names.add(PREFIX + name)) {
                throw new IllegalStateException("state '" + name + "' is declared twice");
            }
            try {
                return new UserState.OfValue<>(new UserState(name, this), stage.valueState(PREFIX + name, type));
            } catch (Exception e) {
                throw new IllegalStateException("state '" + name + "' cannot be accessed: " + e.getMessage(), e);
            }
        }

        @Override
        public void checkKey() {
            if (opening) {
                throw new IllegalStateException("state belongs to a key, and there is no current key");
            }
        }
    }
}
