// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.plan.SavedFormats;
import io.thalweg.engine.source.SplitProgress;
import io.thalweg.run.Tolerance;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sees that a checkpoint belongs to a topology, before anything of it is opened. */
final class Fitting {
    private final SavedState saved;
    private final TopologyGraph graph;
    private final GraphDescription now;
    private final Tolerance tolerance;

    /** Operators whose state is to be restored. */
    private final Set<String> kept;

    private Fitting(SavedState saved, TopologyGraph graph, Tolerance tolerance) {
        this.saved = saved;
        this.graph = graph;
        this.tolerance = tolerance;
        now = GraphDescription.of(graph);
        kept = new TreeSet<>(saved.operators());
        kept.removeAll(tolerance.discard());
    }

    /**
     * The state less what is to be discarded.
     *
     * @param warnings hears of what may be wrong
     * @throws ConnectorException if it is another topology's, or state of it has no owner or another one
     */
    static SavedState of(SavedState saved, TopologyGraph graph, Tolerance tolerance, Consumer<String> warnings) {
        return new Fitting(saved, graph, tolerance).fitting(warnings);
    }

    private SavedState fitting(Consumer<String> warnings) {
        checkTopology();
        checkDiscarded();
        checkOwners();
        String difference = saved.graph().firstDifference(now);
        Set<String> without = new TreeSet<>(tolerance.discard());
        if (difference != null) {
            Set<String> unnamed = now.steps().stream()
                    .filter(step -> !step.named())
                    .map(GraphDescription.Step::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            checkNames(unnamed, difference);
            without.addAll(unnamed); // how far they were may be said of other operators
        }
        for (Node node : graph.nodes()) {
            if (kept.contains(node.name())) {
                check(node, warnings);
            }
        }
        tellDrained(without, warnings);
        return saved.without(without, tolerance.changedInput());
    }

    /** Its windows have been emitted, so that nothing can be read after it; what its sinks have not committed, they commit. */
    private void tellDrained(Set<String> without, Consumer<String> warnings) {
        List<String> unread = graph.nodes().stream()
                .filter(node -> node.spec().source() != null && !without.contains(node.name()))
                .map(Node::name)
                .filter(name -> !SplitProgress.allEnded(name, saved))
                .toList();
        if (saved.info().last() && !unread.isEmpty()) {
            warnings.accept("topology '" + graph.name() + "': " + saved.path()
                    + " is the end of a job that was drained or had reached a limit: nothing more is read of "
                    + String.join(", ", unread)
                    + "; to read on, restore a savepoint from before, or begin with an empty --checkpoint-dir");
        }
    }

    private ConnectorException refused(String reason) {
        return new ConnectorException(
                "topology '" + graph.name() + "': cannot go on from " + saved.path() + ": " + reason);
    }

    private void checkTopology() {
        String before = saved.graph().topology();
        if (!before.equals(graph.name()) && !before.equals(tolerance.topology())) {
            throw refused("it is of topology '" + before
                    + "'; give the checkpoints of this one, or, if it is the same job under another name, add"
                    + " --accept-topology '" + before + "'");
        }
    }

    private void checkDiscarded() {
        for (String name : tolerance.discard()) {
            if (!saved.operators().contains(name)) {
                throw refused("--discard-state " + name + ": it holds no state of an operator of that name; it has "
                        + saved.operators());
            }
        }
    }

    private void checkOwners() {
        for (String name : kept) {
            if (now.step(name) == null) {
                throw refused("it holds state of operator '" + name + "'" + what(name)
                        + ", which this topology does not have (it has "
                        + now.steps().stream()
                                .map(GraphDescription.Step::name)
                                .sorted()
                                .toList()
                        + "); name the operator as it was, or go on without its state with --discard-state '" + name
                        + "'");
            }
        }
    }

    private String what(String name) {
        GraphDescription.Step step = saved.graph().step(name);
        return step == null ? "" : " (" + step.specification() + ")";
    }

    /** What has no name of the user's is known by its place alone, and that is not what it was. */
    private void checkNames(Set<String> unnamed, String difference) {
        List<String> wanting = new ArrayList<>();
        for (String name : kept) {
            if (unnamed.contains(name)) {
                wanting.add(".name(\"" + name + "\") behind the step that was" + what(name));
            }
        }
        if (!wanting.isEmpty()) {
            throw refused("the topology is not what it was: " + difference
                    + "; whose state is whose can then be told only by names. Add " + String.join(", and ", wanting)
                    + "; or go on without with --discard-state");
        }
    }

    private void check(Node node, Consumer<String> warnings) {
        GraphDescription.Step before = saved.graph().step(node.name());
        GraphDescription.Step today = now.step(node.name());
        if (before == null || today == null) {
            return;
        }
        if (!before.kind().equals(today.kind())) {
            throw refused("operator '" + node.name() + "' was a " + before.kind() + " (" + before.specification()
                    + "), and is a " + today.kind() + " (" + today.specification()
                    + "); name the operators as they were, or go on without its state with --discard-state '"
                    + node.name() + "'");
        }
        SavedFormats.@Nullable Saved state = SavedFormats.of(node.spec());
        if (state != null) {
            saved.check(new StateName(node.name(), state.name()), state.format(), state.values());
        }
        boolean otherKey = !before.keyFunction().isEmpty()
                && !today.keyFunction().isEmpty()
                && !before.keyFunction().equals(today.keyFunction());
        if (otherKey) {
            warnings.accept("topology '" + graph.name() + "', operator '" + node.name() + "': its key was "
                    + before.keyFunction() + " in the checkpoint, and is " + today.keyFunction()
                    + "; if keys are not the same any more, begin without its state with --discard-state '"
                    + node.name() + "'");
        }
    }
}
