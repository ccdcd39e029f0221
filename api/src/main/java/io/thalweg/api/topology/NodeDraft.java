// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.NodeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node while the topology is being described. */
final class NodeDraft {
    final int id;
    final List<Stream<?>> inputs;
    NodeSpec spec;

    @Nullable String name;

    /** By the user. */
    boolean named;

    int parallelism;

    /** Its number of tasks is not for the user to choose. */
    boolean fixed;

    boolean isolated;
    boolean blocking;

    @Nullable Type<Object> output;

    /** The node that the user sees of the two; null if this is no part of another. */
    @Nullable NodeDraft partOf;

    void name(String given) {
        name = given;
        named = true;
    }

    /** A part has its name from the whole, so that a checkpoint finds its state again, and as many tasks. */
    void followWhole() {
        if (partOf != null) {
            parallelism = partOf.parallelism;
            if (partOf.named) {
                name(partOf.name + " (partial)");
            }
        }
    }

    NodeDraft(int id, NodeSpec spec, List<Stream<?>> inputs) {
        this.id = id;
        this.spec = spec;
        this.inputs = inputs;
    }
}
