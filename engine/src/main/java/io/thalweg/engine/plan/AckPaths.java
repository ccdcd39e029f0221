// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.GraphFeature;
import io.thalweg.engine.ack.JoinedTrees;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.route.Acks;
import io.thalweg.engine.route.JointAcks;
import io.thalweg.engine.work.Waker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queues that carry acks from every task back to every source task. */
final class AckPaths {
    private static final int BATCHES = 8;
    private static final int BATCH_REPORTS = 256;

    /** The pending records of each source task, by its number in the job. */
    private final Map<Integer, Pending> pending = new HashMap<>();

    /** By number of the task, in the order of the source tasks. */
    private final Map<Integer, List<Ring>> fromTask = new HashMap<>();

    private final Map<Integer, List<Ring>> toSource = new HashMap<>();
    private final List<Pending> sources = new ArrayList<>();

    /** Null if no record can be derived from several. */
    private final @Nullable JoinedTrees joints;

    private record Place(int task, Waker waker, boolean reads) {}

    /** Null if the job is not acked. */
    static @Nullable AckPaths of(Plan plan, BuildSettings settings, Map<Integer, Waker[]> wakers) {
        BuildSettings.Acks acks = settings.acks();
        return acks == null ? null : new AckPaths(plan, acks, wakers);
    }

    private AckPaths(Plan plan, BuildSettings.Acks acks, Map<Integer, Waker[]> wakers) {
        List<Place> places = new ArrayList<>();
        for (Chain chain : plan.chains()) {
            boolean reads = chain.head().spec().source() != null;
            for (Waker waker : wakers.getOrDefault(chain.id(), new Waker[0])) {
                places.add(new Place(places.size(), waker, reads));
            }
        }
        for (Place source : places) {
            if (!source.reads) {
                continue;
            }
            Pending ofSource =
                    new Pending(sources.size(), acks.maxPending(), acks.timeoutNs(), acks.tries(), source.waker);
            sources.add(ofSource);
            pending.put(source.task, ofSource);
            for (Place from : places) {
                if (!from.reads) { // sources do not report to sources
                    Ring ring = new Ring(BATCHES, BATCH_REPORTS, false, true, from.waker, source.waker);
                    fromTask.computeIfAbsent(from.task, t -> new ArrayList<>()).add(ring);
                    toSource.computeIfAbsent(source.task, t -> new ArrayList<>())
                            .add(ring);
                }
            }
        }
        joints = plan.graph().features().containsKey(GraphFeature.OWN_THREADS) ? new JoinedTrees(sources.size()) : null;
    }

    /** Where a task reports to. */
    Acks acksOf(int task, Frame frame) {
        List<Ring> rings = from(task);
        return joints == null ? new Acks(frame, rings, sources) : new JointAcks(frame, rings, sources, joints);
    }

    @Nullable Pending pendingOf(int task) {
        return pending.get(task);
    }

    private List<Ring> from(int task) {
        return fromTask.getOrDefault(task, List.of());
    }

    List<Ring> to(int task) {
        return toSource.getOrDefault(task, List.of());
    }
}
