// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.FeedbackSnapshot;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.source.SplitProgress;
import io.thalweg.engine.state.SavedFormats;
import io.thalweg.run.Tolerance;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks that a checkpoint belongs to a topology, before anything is opened. */
final class RestoreCheck {
    private final SavedState saved;
    private final TopologyGraph graph;
    private final GraphDescription now;
    private final Tolerance tolerance;

    /** Operators whose state is to be restored. */
    private final Set<String> kept;

    private RestoreCheck(SavedState saved, TopologyGraph graph, Tolerance tolerance) {
        this.saved = saved;
        this.graph = graph;
        this.tolerance = tolerance;
        now = GraphDescription.of(graph);
        kept = new TreeSet<>(saved.operators());
        kept.removeAll(tolerance.discard());
    }

    /**
     * Returns the state without what is to be discarded.
     *
     * @param warnings gets what may be wrong, one line each
     * @throws ConnectorException if it belongs to another topology, or has state that no operator of this one can
     *     restore
     */
    static SavedState of(SavedState saved, TopologyGraph graph, Tolerance tolerance, Consumer<String> warnings) {
        return new RestoreCheck(saved, graph, tolerance).checked(warnings);
    }

    private SavedState checked(Consumer<String> warnings) {
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
            without.addAll(unnamed); // their progress may stand under the names of other operators
        }
        for (Node node : graph.nodes()) {
            if (kept.contains(node.name())) {
                check(node, warnings);
            }
        }
        warnIfDrained(without, warnings);
        SavedState left = saved.without(without, tolerance.changedInput());
        checkFinished(left);
        return left;
    }

    /** A drained job has emitted its windows, so a job that continues from it reads nothing; its sinks commit what is left. */
    private void warnIfDrained(Set<String> without, Consumer<String> warnings) {
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

    /** An operator that has finished has closed its windows and takes no more records; those of a source in front of it would be lost. */
    private void checkFinished(SavedState left) {
        for (Node node : graph.nodes()) {
            if (node.spec().source() == null && ChainTask.hadFinished(left, node.name())) {
                for (Node source : sourcesOf(node)) {
                    if (!ChainTask.inputHadEnded(left, source.name())) {
                        throw refused("source '" + source.name() + "' leads to operator '" + node.name()
                                + "', whose input had ended in it, so its records would be lost; restore a checkpoint or"
                                + " savepoint from before, give '" + source.name()
                                + "' operators of its own, give '" + node.name()
                                + "' another name to start it anew, or begin with an empty --checkpoint-dir");
                    }
                }
            }
        }
    }

    private List<Node> sourcesOf(Node node) {
        Set<Integer> seen = new TreeSet<>(List.of(node.id()));
        List<Node> open = new ArrayList<>(List.of(node));
        List<Node> sources = new ArrayList<>();
        while (!open.isEmpty()) {
            Node next = open.remove(open.size() - 1);
            if (next.spec().source() != null) {
                sources.add(next);
            }
            Stream<Edge> back = graph.feedback().stream().filter(edge -> edge.to() == next.id());
            Stream.concat(graph.inputsOf(next).stream(), back)
                    .filter(edge -> seen.add(edge.from()))
                    .forEach(edge -> open.add(graph.node(edge.from())));
        }
        return sources;
    }

    private ConnectorException refused(String reason) {
        return new ConnectorException(
                "topology '" + graph.name() + "': cannot continue from " + saved.path() + ": " + reason);
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
                        + "); name the operator as it was, or continue without its state with --discard-state '" + name
                        + "'");
            }
        }
    }

    private String what(String name) {
        GraphDescription.Step step = saved.graph().step(name);
        return step == null ? "" : " (" + step.specification() + ")";
    }

    /** Operators without a name from the user are known by their place in the graph, and the graph has changed. */
    private void checkNames(Set<String> unnamed, String difference) {
        List<String> wanting = new ArrayList<>();
        for (String name : kept) {
            if (unnamed.contains(name)) {
                wanting.add(".name(\"" + name + "\") behind the step that was" + what(name));
            }
        }
        if (!wanting.isEmpty()) {
            throw refused("the topology is not what it was: " + difference
                    + "; only names can then tell which operator a state belongs to. Add "
                    + String.join(", and ", wanting)
                    + "; or discard their state with --discard-state");
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
                    + "); name the operators as they were, or continue without its state with --discard-state '"
                    + node.name() + "'");
        }
        SavedFormats.@Nullable Saved state = SavedFormats.of(node.spec());
        if (state != null) {
            saved.check(new StateName(node.name(), state.name()), state.format(), state.values());
        }
        FeedbackSnapshot.check(saved, graph, node);
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
