// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.checkpoint.SavedState;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Sees that a checkpoint belongs to a topology. */
final class Fitting {
    private Fitting() {}

    /**
     * The state less what is to be discarded.
     *
     * @throws ConnectorException if it holds state of operators that the topology does not have
     */
    static SavedState of(SavedState saved, TopologyGraph graph, Tolerance tolerance) {
        Set<String> operators = graph.nodes().stream().map(Node::name).collect(Collectors.toSet());
        for (String name : tolerance.discard()) {
            if (!saved.operators().contains(name)) {
                throw new ConnectorException("--discard-state " + name + ": " + saved.path()
                        + " holds no state of an operator of that name; it has " + saved.operators());
            }
        }
        Set<String> unknown = new TreeSet<>(saved.operators());
        unknown.removeAll(operators);
        unknown.removeAll(tolerance.discard());
        if (!unknown.isEmpty()) {
            String name = unknown.iterator().next();
            throw new ConnectorException("cannot go on from " + saved.path() + ": it holds state of operator '" + name
                    + "', which this topology does not have (it has " + new TreeSet<>(operators)
                    + "); name the operator as it was, or go on without its state with --discard-state '" + name + "'");
        }
        return saved.without(tolerance.discard(), tolerance.changedInput());
    }
}
