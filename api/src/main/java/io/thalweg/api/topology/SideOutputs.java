// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.SideOutput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that a side output that is read is one that its operator emits to. */
final class SideOutputs {
    private SideOutputs() {}

    /** @param side a stream of a side output */
    static void check(String topology, Stream<?> side) {
        NodeDraft node = side.node();
        String problem = problem(node.spec, side.port(), side.type());
        if (problem != null) {
            throw new TopologyException(
                    topology,
                    GraphBuilder.nameOf(node),
                    "nothing would ever come out of side(\"" + side.port() + "\"): " + problem);
        }
    }

    private static @Nullable String problem(NodeSpec spec, String name, @Nullable Type<?> type) {
        if (spec instanceof NodeSpec.Window window) {
            SideOutput<Object> late = window.late();
            return late == null
                    ? "its late records go nowhere; add lateTo(…) before aggregate(…)"
                    : among(List.of(late), name, type, "its late records go to ");
        }
        if (spec instanceof NodeSpec.Process process) {
            Operator<Object, Object> operator = made(process.supplier());
            return among(operator.sideOutputs(), name, type, operator.getClass().getSimpleName() + " emits to ");
        }
        if (spec instanceof NodeSpec.KeyedProcess process) {
            KeyedOperator<Object, Object, Object> operator = made(process.supplier());
            return among(operator.sideOutputs(), name, type, operator.getClass().getSimpleName() + " emits to ");
        }
        return "only process(…) and windows have side outputs, and this is a " + spec.kind();
    }

    private static <O> O made(OperatorSupplier<? extends O> supplier) {
        return supplier.get();
    }

    private static @Nullable String among(
            List<? extends SideOutput<?>> emitted, String name, @Nullable Type<?> type, String which) {
        for (SideOutput<?> each : emitted) {
            if (each.name().equals(name)) {
                return each.type().equals(type)
                        ? null
                        : which + "\"" + name + "\" as " + each.type() + ", and it is read as " + type;
            }
        }
        return emitted.isEmpty()
                ? which + "no side output; name those it emits to in its method sideOutputs()"
                : which
                        + emitted.stream()
                                .map(each -> "\"" + each.name() + "\"")
                                .toList();
    }
}
