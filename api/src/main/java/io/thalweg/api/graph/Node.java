// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * An operator of the graph.
 *
 * @param id its index in {@link TopologyGraph#nodes()}; lower than those of the nodes it leads to
 * @param name unique in the topology
 * @param named true if the user named it; otherwise the name follows from the operator's place
 * @param spec what it does
 * @param parallelism 0 if the run decides
 * @param isolated true if it must not be fused with its neighbours
 * @param blocking true if it may block, so that it needs a thread of its own
 * @param output the type it emits on its main port; null for a sink
 * @param timed true if what it emits has event times
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
