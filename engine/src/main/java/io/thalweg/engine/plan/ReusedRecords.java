// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds where in a chain a record may be an object that its source reuses, so that an operator must copy it to keep it. */
final class ReusedRecords {
    private final TaskSite site;

    ReusedRecords(TaskSite site) {
        this.site = site;
    }

    /** The codec to copy a node's input records with; null if they need no copy. */
    @Nullable Codec<Object> copiesInto(Node node) {
        List<Edge> inputs = site.graph().inputsOf(node);
        return !site.isHead(node) && reused(site.graph().node(inputs.get(0).from()))
                ? inputs.get(0).type().codec()
                : null;
    }

    /** The codec to copy what a node emits along an edge; null if it needs no copy. */
    @Nullable Codec<Object> copiesOn(Edge edge) {
        return reused(site.graph().node(edge.from())) ? edge.type().codec() : null;
    }

    /** The codec to copy the records of a source with; null if they need no copy. */
    @Nullable Codec<Object> copiesOf(Node source) {
        return reused(source) && source.output() != null ? source.output().codec() : null;
    }

    /** True if the node may emit an object that its source reuses. */
    private boolean reused(Node node) {
        if (node.output() == null || node.output().codec().immutable()) {
            return false;
        }
        Source<Object> source = node.spec().source();
        if (source != null) {
            return source.reusesRecords();
        }
        List<Edge> inputs = site.graph().inputsOf(node);
        return node.spec().passesInputOn()
                && !site.isHead(node)
                && reused(site.graph().node(inputs.get(0).from()));
    }
}
