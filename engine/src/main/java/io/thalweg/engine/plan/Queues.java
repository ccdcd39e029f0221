// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.Edge;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.work.Seat;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queues of a job: for each edge that is not fused, one for each pair of tasks that it connects. */
final class Queues {
    /** By producer and then by consumer. By identity: a stream may lead to the same union twice. */
    private final IdentityHashMap<Edge, @Nullable Ring[][]> rings = new IdentityHashMap<>();

    /** @param seats of the tasks, by number of the chain */
    Queues(Plan plan, BuildSettings settings, Map<Integer, Seat[]> seats) {
        for (Edge edge : plan.graph().edges()) {
            if (!plan.fused(edge)) {
                Seat[] producers = Build.seats(seats, plan.chainOf(edge.from()));
                Seat[] consumers = Build.seats(seats, plan.chainOf(edge.to()));
                rings.put(edge, rings(plan, edge, settings, producers, consumers));
            }
        }
    }

    private static @Nullable Ring[][] rings(
            Plan plan, Edge edge, BuildSettings settings, Seat[] producers, Seat[] consumers) {
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

    /** Those that a task before the edge fills, in the order of the tasks behind. */
    List<Ring> from(Edge edge, int producer) {
        List<Ring> own = new ArrayList<>();
        for (Ring ring : of(edge)[producer]) {
            if (ring != null) {
                own.add(ring);
            }
        }
        return own;
    }

    /** Those that a task behind the edge empties, in the order of the tasks before. */
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
