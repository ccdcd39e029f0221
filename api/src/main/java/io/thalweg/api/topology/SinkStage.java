// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

/** The end of a stream; its methods speak of the sink. */
public final class SinkStage {
    private final NodeDraft node;

    SinkStage(NodeDraft node) {
        this.node = node;
    }

    public SinkStage name(String name) {
        node.name(name);
        return this;
    }

    /** @throws IllegalArgumentException if the sink can only be written with another parallelism */
    public SinkStage parallelism(int parallelism) {
        checkParallelism(parallelism);
        if (node.parallelism != 0 && node.parallelism != parallelism) {
            throw new IllegalArgumentException(
                    "this sink is written by " + node.parallelism + " task, not by " + parallelism);
        }
        node.parallelism = parallelism;
        return this;
    }

    public SinkStage isolate() {
        node.isolated = true;
        return this;
    }

    public SinkStage blocking() {
        node.blocking = true;
        return this;
    }

    static void checkParallelism(int parallelism) {
        if (parallelism < 1 || parallelism > io.thalweg.api.codec.StableHash.KEY_GROUPS) {
            throw new IllegalArgumentException("parallelism must be from 1 to "
                    + io.thalweg.api.codec.StableHash.KEY_GROUPS + ", not " + parallelism);
        }
    }
}
