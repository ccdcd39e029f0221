// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.graph.NodeBuilder;

/**
 * The end of a stream, returned by {@link Stream#to}. Its methods configure the sink and return this object, so that
 * calls can be chained. Not thread-safe.
 */
public final class StreamSink {
    private final NodeBuilder node;

    StreamSink(NodeBuilder node) {
        this.node = node;
    }

    /**
     * Names the sink in messages, metrics and checkpoints. Without a name it is called after its kind, with a number if
     * there are several: {@code sink}, {@code sink-2}.
     *
     * @param name unique within the topology, or {@link Topology#graph} throws
     */
    public StreamSink name(String name) {
        node.name(name);
        return this;
    }

    /**
     * Sets the number of tasks that write.
     *
     * @param parallelism from 1 to 256
     * @throws IllegalArgumentException if it is out of range, or if the sink requires another parallelism, as a single
     *     file does
     */
    public StreamSink parallelism(int parallelism) {
        node.parallelism(parallelism);
        return this;
    }

    /**
     * Keeps the sink in a task of its own instead of fusing it with the operator before it; records then go through a
     * queue.
     */
    public StreamSink isolate() {
        node.isolate();
        return this;
    }

    /** Declares that writes may block, as calls to a database do: each task of the sink gets a thread of its own. */
    public StreamSink blocking() {
        node.blocking();
        return this;
    }
}
