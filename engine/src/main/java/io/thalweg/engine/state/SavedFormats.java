// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.IntervalJoin;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.NodeVisitor;
import io.thalweg.api.graph.WindowJoin;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import io.thalweg.engine.checkpoint.StateFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state formats of operators, as far as the graph defines them; users' operators declare theirs when they open. */
public final class SavedFormats implements NodeVisitor<Optional<SavedFormats.Saved>> {
    static final String AGGREGATE = "aggregate";
    static final String DISTINCT = "distinct";

    /**
     * The format of an operator's keyed state.
     *
     * @param values null if it keeps only keys
     */
    public record Saved(
            String name, StateFormat format, @Nullable Type<?> values) {}

    private SavedFormats() {}

    /** The format; null if the operator is stateless, or a user declares its states. */
    public static @Nullable Saved of(NodeSpec spec) {
        return spec.accept(new SavedFormats()).orElse(null);
    }

    @Override
    public Optional<Saved> window(NodeSpec.Window spec) {
        Saved saved = aggregate(spec.window().toString(), spec.key().type(), spec.aggregate());
        return spec.window().accept(new WindowVisitor<>() {
            @Override
            public Optional<Saved> aligned(WindowSpec.Aligned aligned) {
                return Optional.of(saved);
            }

            @Override
            public Optional<Saved> session(WindowSpec.Session session) {
                return Optional.of(saved);
            }

            @Override
            public Optional<Saved> count(WindowSpec.Count count) {
                return Optional.empty();
            }

            @Override
            public Optional<Saved> whole(WindowSpec.Whole whole) {
                return Optional.of(saved);
            }
        });
    }

    @Override
    public Optional<Saved> running(NodeSpec.Running spec) {
        return Optional.of(aggregate("running", spec.key().type(), spec.aggregate()));
    }

    @Override
    public Optional<Saved> distinct(NodeSpec.Distinct spec) {
        return Optional.of(new Saved(
                DISTINCT, StateFormat.ofKeys(DISTINCT + " keys", spec.key().type()), null));
    }

    /** Keeps a number, as operator state. */
    @Override
    public Optional<Saved> limit(Limit spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> asyncMap(AsyncMap spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> keyedAsyncMap(KeyedAsyncMap spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> process(NodeSpec.Process spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> keyedProcess(NodeSpec.KeyedProcess spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> connect(NodeSpec.Connect spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> keyedConnect(NodeSpec.KeyedConnect spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> broadcast(NodeSpec.Broadcast spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> keyedBroadcast(NodeSpec.KeyedBroadcast spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> intervalJoin(IntervalJoin spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> windowJoin(WindowJoin spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> source(NodeSpec.Source spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> map(NodeSpec.Map spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> filter(NodeSpec.Filter spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> flatMap(NodeSpec.FlatMap spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> peek(NodeSpec.Peek spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> union(NodeSpec.Union spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> eventTime(NodeSpec.EventTime spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> tableJoin(NodeSpec.TableJoin spec) {
        return Optional.empty();
    }

    @Override
    public Optional<Saved> sink(NodeSpec.Sink spec) {
        return Optional.empty();
    }

    private static Saved aggregate(String kind, Type<Object> key, Aggregate<Object, Object, Object> aggregate) {
        Type<Object> values = aggregate.accumulatorType();
        return new Saved(AGGREGATE, StateFormat.of(kind + ": " + aggregate.describe(), key, values), values);
    }
}
