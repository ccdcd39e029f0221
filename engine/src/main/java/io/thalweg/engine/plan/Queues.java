// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.Edge;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.work.Waker;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queues of a job: for each edge that is not fused, one for each pair of tasks that it connects. */
final class Queues {
    /** By edge, producer and consumer. Edges are compared by identity: a stream may lead to the same union twice. */
    private final IdentityHashMap<Edge, @Nullable Ring[][]> rings = new IdentityHashMap<>();

    /** @param wakers wake-up handles of the tasks, by number of the chain */
    Queues(Plan plan, BuildSettings settings, Map<Integer, Waker[]> wakers) {
        for (List<Edge> edges : List.of(plan.graph().edges(), plan.graph().feedback())) {
            for (Edge edge : edges) {
                if (!plan.fused(edge)) {
                    Waker[] producers = Build.wakers(wakers, plan.chainOf(edge.from()));
                    Waker[] consumers = Build.wakers(wakers, plan.chainOf(edge.to()));
                    rings.put(edge, rings(plan, edge, settings, producers, consumers));
                }
            }
        }
    }

    private static @Nullable Ring[][] rings(
            Plan plan, Edge edge, BuildSettings settings, Waker[] producers, Waker[] consumers) {
        boolean timed = plan.graph().node(edge.from()).timed();
        boolean straight = plan.straight(edge);
        @Nullable Ring[][] rings = new Ring[producers.length][consumers.length];
        for (int from = 0; from < producers.length; from++) {
            for (int to = 0; to < consumers.length; to++) {
                if (!straight || from == to) {
                    rings[from][to] = new Ring(
                            settings.queueBatches(),
                            settings.batchRecords(),
                            timed,
                            settings.acks() != null,
                            producers[from],
                            consumers[to]);
                }
            }
        }
        return rings;
    }

    /** The queues that an upstream task fills, in the order of the downstream tasks. */
    List<Ring> from(Edge edge, int producer) {
        List<Ring> own = new ArrayList<>();
        for (Ring ring : of(edge)[producer]) {
            if (ring != null) {
                own.add(ring);
            }
        }
        return own;
    }

    /** The queues that a downstream task reads, in the order of the upstream tasks. */
    List<Ring> to(Edge edge, int consumer) {
        List<Ring> own = new ArrayList<>();
        for (@Nullable Ring[] ofProducer : of(edge)) {
            Ring ring = ofProducer[consumer];
            if (ring != null) {
                own.add(ring);
            }
        }
        return own;
    }

    private @Nullable Ring[][] of(Edge edge) {
        @Nullable Ring[][] of = rings.get(edge);
        if (of == null) {
            throw new IllegalStateException("no queues for " + edge);
        }
        return of;
    }
}
