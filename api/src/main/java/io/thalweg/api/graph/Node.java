// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * An operator of the graph.
 *
 * @param id its index in {@link TopologyGraph#nodes()}; inputs have lower ids than what they lead to
 * @param name unique in the topology
 * @param named the user gave it that name; otherwise it follows from the operator's place
 * @param parallelism 0 if the run decides
 * @param isolated not to be fused with its neighbours
 * @param blocking may block, so that it needs a thread of its own
 * @param output what it emits on its main port; null for a sink
 * @param timed true if what it emits carries event times
 */
public record Node(
        int id,
        String name,
        boolean named,
        NodeSpec spec,
        int parallelism,
        boolean isolated,
        boolean blocking,
        @Nullable Type<Object> output,
        boolean timed)
        implements Serializable {}
