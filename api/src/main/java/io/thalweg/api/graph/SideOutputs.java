// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.KeyedLifecycle;
import io.thalweg.api.operator.Lifecycle;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.SideOutput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that a side output that is read is one that its operator emits to. */
final class SideOutputs {
    private SideOutputs() {}

    /**
     * @param side name of the side output
     * @param type that it is read as
     */
    static void check(String topology, NodeBuilder node, String side, Type<?> type) {
        Optional<String> problem = node.spec().accept(new Problem(side, type));
        if (problem.isPresent()) {
            throw new TopologyException(
                    topology, node.name(), "nothing would ever come out of side(\"" + side + "\"): " + problem.get());
        }
    }

    /** What is wrong with reading a side output of this name and type; empty if nothing is. */
    private record Problem(String name, @Nullable Type<?> type) implements NodeVisitor<Optional<String>> {
        @Override
        public Optional<String> window(NodeSpec.Window spec) {
            SideOutput<Object> late = spec.late();
            return late == null
                    ? Optional.of("its late records go nowhere; add lateTo(…) before aggregate(…)")
                    : among(List.of(late), name, type, "its late records go to ");
        }

        @Override
        public Optional<String> process(NodeSpec.Process spec) {
            return of(spec.supplier());
        }

        @Override
        public Optional<String> connect(NodeSpec.Connect spec) {
            return of(spec.supplier());
        }

        @Override
        public Optional<String> broadcast(NodeSpec.Broadcast spec) {
            return of(spec.supplier());
        }

        private Optional<String> of(OperatorSupplier<? extends Lifecycle<?>> supplier) {
            Lifecycle<?> operator = supplier.get();
            return among(operator.sideOutputs(), name, type, operator.getClass().getSimpleName() + " emits to ");
        }

        @Override
        public Optional<String> keyedProcess(NodeSpec.KeyedProcess spec) {
            return ofKeyed(spec.supplier());
        }

        @Override
        public Optional<String> keyedConnect(NodeSpec.KeyedConnect spec) {
            return ofKeyed(spec.supplier());
        }

        @Override
        public Optional<String> keyedBroadcast(NodeSpec.KeyedBroadcast spec) {
            return ofKeyed(spec.supplier());
        }

        @Override
        public Optional<String> intervalJoin(IntervalJoin spec) {
            return ofJoin(spec.lateSides(), "between(…)");
        }

        @Override
        public Optional<String> windowJoin(WindowJoin spec) {
            return ofJoin(spec.lateSides(), "window(…)");
        }

        private Optional<String> ofJoin(List<SideOutput<Object>> late, String after) {
            return late.isEmpty()
                    ? Optional.of("its late records go nowhere; add lateLeftTo(…) or lateRightTo(…) after " + after)
                    : among(late, name, type, "its late records go to ");
        }

        private Optional<String> ofKeyed(OperatorSupplier<? extends KeyedLifecycle<?, ?>> supplier) {
            KeyedLifecycle<?, ?> operator = supplier.get();
            return among(operator.sideOutputs(), name, type, operator.getClass().getSimpleName() + " emits to ");
        }

        private static Optional<String> none(NodeSpec spec) {
            return Optional.of("only process(…), windows and joins of two streams have side outputs, and this is a "
                    + spec.kind());
        }

        @Override
        public Optional<String> source(NodeSpec.Source spec) {
            return none(spec);
        }

        @Override
        public Optional<String> map(NodeSpec.Map spec) {
            return none(spec);
        }

        @Override
        public Optional<String> filter(NodeSpec.Filter spec) {
            return none(spec);
        }

        @Override
        public Optional<String> flatMap(NodeSpec.FlatMap spec) {
            return none(spec);
        }

        @Override
        public Optional<String> peek(NodeSpec.Peek spec) {
            return none(spec);
        }

        @Override
        public Optional<String> union(NodeSpec.Union spec) {
            return none(spec);
        }

        @Override
        public Optional<String> eventTime(NodeSpec.EventTime spec) {
            return none(spec);
        }

        @Override
        public Optional<String> tableJoin(NodeSpec.TableJoin spec) {
            return none(spec);
        }

        @Override
        public Optional<String> limit(Limit spec) {
            return none(spec);
        }

        @Override
        public Optional<String> asyncMap(AsyncMap spec) {
            return none(spec);
        }

        @Override
        public Optional<String> keyedAsyncMap(KeyedAsyncMap spec) {
            return none(spec);
        }

        @Override
        public Optional<String> running(NodeSpec.Running spec) {
            return none(spec);
        }

        @Override
        public Optional<String> distinct(NodeSpec.Distinct spec) {
            return none(spec);
        }

        @Override
        public Optional<String> sink(NodeSpec.Sink spec) {
            return none(spec);
        }
    }

    private static Optional<String> among(
            List<? extends SideOutput<?>> emitted, String name, @Nullable Type<?> type, String which) {
        for (SideOutput<?> each : emitted) {
            if (each.name().equals(name)) {
                return each.type().equals(type)
                        ? Optional.empty()
                        : Optional.of(which + "\"" + name + "\" as " + each.type() + ", and it is read as " + type);
            }
        }
        List<String> names =
                emitted.stream().map(each -> "\"" + each.name() + "\"").toList();
        return Optional.of(which
                + (names.isEmpty() ? "no side output; name those it emits to in its method sideOutputs()" : names));
    }
}
