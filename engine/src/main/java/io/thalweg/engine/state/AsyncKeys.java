// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.OperatorContext;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An operator whose requests go by key, as one without: it is called with the state of the record's key. */
record AsyncKeys(
        KeyedProcessStage.Context context,
        MapFunction<Object, Object> key,
        KeyedAsyncOperator<Object, Object, Object, Object> operator)
        implements AsyncOperator<Object, Object>, JoinFunction<Object, Object, Object> {
    private static final long serialVersionUID = 1L;

    /** @param task the keyed context of it is the operator's */
    @Override
    public void open(OperatorContext task) throws Exception {
        operator.open(context);
        context.opening = false;
    }

    @Override
    public CompletionStage<? extends @Nullable Object> apply(Object value) throws Exception {
        return operator.apply(enter(value), value);
    }

    @Override
    public @Nullable Object apply(Object value, @Nullable Object answer) throws Exception {
        return operator.answered(enter(value), value, answer);
    }

    private Object enter(Object value) throws Exception {
        Object k = key.apply(value);
        context.enter(k, key, value);
        return k;
    }

    @Override
    public void close() throws Exception {
        operator.close();
    }
}
