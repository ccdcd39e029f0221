// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.JoinSide;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.SideOutput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two streams of a join, grouped by their keys, and where their late records go. */
final class JoinInputs {
    private final String kind;
    private final KeyedStream<?, ?> left;
    private final KeyedStream<?, ?> right;

    @Nullable SideOutput<Object> lateLeft;

    @Nullable SideOutput<Object> lateRight;

    private <K, A, B> JoinInputs(String kind, KeyedJoin<K, A, B> join) {
        this.kind = kind;
        Type<?> key = JoinKeys.check(join.left().builder(), kind, join.leftKey(), join.rightKey());
        Type<Optional<K>> optional = Type.of(Optional.class, key);
        left = join.left().keyBy(new OptionalKey<A, K>(join.leftKey()), optional);
        right = join.right().keyBy(new OptionalKey<B, K>(join.rightKey()), optional);
    }

    /**
     * @param kind of the join, for messages
     * @throws io.thalweg.api.graph.TopologyException if the types of the keys differ, or cannot be read
     */
    static JoinInputs of(String kind, KeyedJoin<?, ?, ?> join) {
        return new JoinInputs(kind, join);
    }

    JoinSide left(boolean outer) {
        return new JoinSide(left.key(), records(left.records(), "left"), outer, lateLeft);
    }

    JoinSide right(boolean outer) {
        return new JoinSide(right.key(), records(right.records(), "right"), outer, lateRight);
    }

    /** The type of records of one stream, which is written into checkpoints. */
    private Type<Object> records(Stream<?> stream, String name) {
        Type<Object> type = Stream.cast(stream.type());
        if (type == null) {
            throw stream.builder()
                    .problem(
                            kind,
                            "the type of the " + name + " records is not known yet; say it with .as(Type.of(…)) on that"
                                    + " stream");
        }
        return type;
    }

    /** Adds the join. */
    <R> Stream<R> add(NodeSpec join, @Nullable Type<?> result) {
        SideOutput<Object> one = lateLeft;
        SideOutput<Object> other = lateRight;
        if (one != null && other != null && one.name().equals(other.name()) && !one.equals(other)) {
            throw left.records()
                    .builder()
                    .problem(
                            kind,
                            "side output \"" + one.name() + "\" is to hold a " + one.type() + " and a " + other.type()
                                    + "; give late left and late right records different names");
        }
        return left.records().add(join, List.of(left.records(), right.records()), result);
    }
}
