// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.engine.checkpoint.StateFormat;
import org.jspecify.annotations.Nullable;

/** What the states of operators hold, as far as the graph says it; users' operators declare theirs when they open. */
public final class SavedFormats {
    static final String AGGREGATE = "aggregate";
    static final String DISTINCT = "distinct";

    /**
     * A state that an operator keeps by key.
     *
     * @param values null where it keeps keys alone
     */
    public record Saved(
            String name, StateFormat format, @Nullable Type<?> values) {}

    private SavedFormats() {}

    /** Null where the operator keeps nothing, or what a user declares. */
    public static @Nullable Saved of(NodeSpec spec) {
        if (spec instanceof NodeSpec.Window window) {
            return aggregate(window.window().toString(), window.key().type(), window.aggregate());
        }
        if (spec instanceof NodeSpec.Running running) {
            return aggregate("running", running.key().type(), running.aggregate());
        }
        return spec instanceof NodeSpec.Distinct distinct
                ? new Saved(
                        DISTINCT,
                        StateFormat.ofKeys(DISTINCT + " keys", distinct.key().type()),
                        null)
                : null;
    }

    private static Saved aggregate(String kind, Type<Object> key, Aggregate<Object, Object, Object> aggregate) {
        Type<Object> values = aggregate.accumulatorType();
        return new Saved(AGGREGATE, StateFormat.of(kind + ": " + aggregate.describe(), key, values), values);
    }
}
