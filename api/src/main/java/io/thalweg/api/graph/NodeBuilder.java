// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.StableHash;
import io.thalweg.api.codec.Type;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operator of a graph under construction, as {@link GraphBuilder} returns it. Its methods configure the operator and
 * return this object, so that calls can be chained. Not thread-safe.
 */
public final class NodeBuilder {
    final GraphBuilder graph;
    private final Map<Integer, Type<?>> taken = new HashMap<>();
    private final int requiredParallelism;
    private NodeSpec spec;
    private @Nullable String name;
    private boolean named;
    private int parallelism;
    private boolean isolated;
    private boolean blocking;
    private @Nullable Type<Object> output;
    private @Nullable NodeBuilder whole;

    NodeBuilder(GraphBuilder graph, NodeSpec spec) {
        this.graph = graph;
        this.spec = spec;
        io.thalweg.api.connector.Source<Object> source = spec.source();
        io.thalweg.api.connector.Sink<Object> sink = spec.sink();
        requiredParallelism = sink != null ? sink.requiredParallelism() : spec instanceof Limit ? 1 : 0;
        parallelism = requiredParallelism;
        blocking = source != null ? source.blocking() : sink != null && sink.blocking();
        output = source == null ? null : source.type();
    }

    /**
     * Names the operator in messages, metrics and checkpoints.
     *
     * @param given unique within the graph, or {@link GraphBuilder#build} throws
     */
    public NodeBuilder name(String given) {
        name = given;
        named = true;
        return this;
    }

    /**
     * Sets the number of tasks. Without it, the run decides.
     *
     * @param tasks from 1 to 256
     * @throws IllegalArgumentException if it is out of range, or if the operator requires another number, as a sink
     *     that writes a single file does
     */
    public NodeBuilder parallelism(int tasks) {
        if (tasks < 1 || tasks > StableHash.KEY_GROUPS) {
            throw new IllegalArgumentException(
                    "parallelism must be from 1 to " + StableHash.KEY_GROUPS + ", not " + tasks);
        }
        if (requiredParallelism != 0 && tasks != requiredParallelism) {
            throw new IllegalArgumentException(
                    spec.sink() != null
                            ? "this sink is written by " + requiredParallelism + " task, not by " + tasks
                            : "a " + spec.kind() + " runs in " + requiredParallelism + " task, not in " + tasks);
        }
        parallelism = tasks;
        return this;
    }

    /** Keeps the operator in a task of its own instead of fusing it with its neighbours. */
    public NodeBuilder isolate() {
        isolated = true;
        return this;
    }

    /** Declares that the operator may block: each of its tasks gets a thread of its own. */
    public NodeBuilder blocking() {
        blocking = true;
        return this;
    }

    /**
     * Sets the type of the records it emits on its main output. Needed wherever {@link GraphBuilder} does not say that
     * the type is known.
     */
    @SuppressWarnings("unchecked") // the graph holds records as Object
    public NodeBuilder as(Type<?> emitted) {
        output = (Type<Object>) emitted;
        return this;
    }

    /**
     * Declares the type of the records that one of its inputs takes, so that a stream of another type is refused when
     * the graph is built. Without it, and unless {@link GraphBuilder} says that the type is known, any stream may lead
     * there.
     *
     * @param input 0, or 1 for the second one of an operator with two
     */
    public NodeBuilder takes(int input, Type<?> records) {
        taken.put(input, records);
        return this;
    }

    /**
     * Makes it the first of two steps that users see as one: it runs with the parallelism of the second, and is named
     * after it.
     */
    public NodeBuilder partOf(NodeBuilder second) {
        whole = second;
        return this;
    }

    /** What it does. */
    public NodeSpec spec() {
        return spec;
    }

    /** Replaces what it does by the same kind of operator with other parameters. */
    public NodeBuilder spec(NodeSpec changed) {
        spec = changed;
        return this;
    }

    /** The name, if one was given or the graph was built; otherwise the kind of operator. */
    public String name() {
        return name == null ? spec.kind() : name;
    }

    /** Whether a name was given. */
    public boolean named() {
        return named;
    }

    /** The number of tasks; 0 if the run decides. */
    public int parallelism() {
        return parallelism;
    }

    /** The type of the records it emits on its main output; null if it is not known yet, or for a sink. */
    public @Nullable Type<Object> output() {
        return output;
    }

    @Nullable Type<?> taken(int input) {
        return taken.get(input);
    }

    Iterable<Integer> inputsDeclared() {
        return taken.keySet();
    }

    /** A checkpoint finds the state of a part by the name of the whole. */
    void followWhole() {
        if (whole != null) {
            parallelism = whole.parallelism;
            if (whole.named) {
                name(whole.name() + " (partial)");
            }
        }
    }

    boolean lacksName() {
        return name == null;
    }

    /** Names it by its kind. */
    void defaultName(String free) {
        name = free;
    }

    boolean isIsolated() {
        return isolated;
    }

    Node build(int id, boolean timed) {
        return new Node(id, name(), named, spec, parallelism, isolated, blocking, output, timed);
    }
}
