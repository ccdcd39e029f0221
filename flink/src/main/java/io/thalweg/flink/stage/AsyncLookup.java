// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.JoinFunction;
import org.jspecify.annotations.Nullable;

/** Requests without state. */
public final class AsyncLookup extends AsyncRequests {
    private static final long serialVersionUID = 1L;

    private final AsyncMap spec;

    public AsyncLookup(StageSettings settings, AsyncMap spec) {
        super(settings, spec.options());
        this.spec = spec;
    }

    @Override
    AsyncOperator<Object, Object> operator() {
        return spec.supplier().get();
    }

    @Override
    @Nullable Object emitted(Object value, @Nullable Object answer) throws Exception {
        JoinFunction<Object, Object, Object> function = spec.function();
        return function == null ? answer : function.apply(value, answer);
    }
}
