// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import java.util.Set;
import org.apache.flink.api.common.state.ValueState;
import org.jspecify.annotations.Nullable;

/** Lets the first record of each key pass. */
public final class Distinct extends OneInput {
    private static final long serialVersionUID = 1L;

    private transient @Nullable ValueState<Boolean> seen;

    public Distinct(StageSettings settings) {
        super(settings);
    }

    @Override
    void begin() throws Exception {
        seen = valueState("seen", Type.of(Boolean.class));
    }

    @Override
    Set<String> states() {
        return Set.of("distinct keys");
    }

    @Override
    void accept(Object value) throws Exception {
        ValueState<Boolean> state = opened(seen);
        if (state.value() == null) {
            state.update(true);
            emit(value);
        }
    }
}
