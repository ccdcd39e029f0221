// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where in a chain records may be objects that their source reuses, so that whoever keeps one must copy it. */
final class ReusedRecords {
    private final TaskSite site;

    ReusedRecords(TaskSite site) {
        this.site = site;
    }

    /** What copies the records that come into a node; null if they are its own. */
    @Nullable Codec<Object> copiesInto(Node node) {
        List<Edge> inputs = site.graph().inputsOf(node);
        return !site.isHead(node) && reused(site.graph().node(inputs.get(0).from()))
                ? inputs.get(0).type().codec()
                : null;
    }

    /** What copies the keys of those records, which may be parts of them; null if that is not needed. */
    @Nullable Codec<Object> keyCopies(Node node, KeySpec key) {
        return copiesInto(node) == null || key.type().codec().immutable()
                ? null
                : key.type().codec();
    }

    /** What copies the records that a node emits along an edge; null if they are objects of their own. */
    @Nullable Codec<Object> copiesOn(Edge edge) {
        return reused(site.graph().node(edge.from())) ? edge.type().codec() : null;
    }

    /** What copies the records that a source emits; null if they are objects of their own. */
    @Nullable Codec<Object> copiesOf(Node source) {
        return reused(source) && source.output() != null ? source.output().codec() : null;
    }

    /** True if what the node emits may be an object that its source reuses. */
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
