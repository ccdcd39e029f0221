// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.GroupingVisitor;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.route.Carrier;
import io.thalweg.engine.route.Chooser;
import io.thalweg.engine.route.Handover;
import io.thalweg.engine.route.Router;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a task's outlet to an edge: the grouping chooses the target, and what takes the records there is a subclass. */
abstract class Outlets implements GroupingVisitor<Outlet> {
    final Assembly assembly;
    final Edge edge;
    private final int tasks;

    /** @param tasks of the operator behind */
    Outlets(Assembly assembly, Edge edge, int tasks) {
        this.assembly = assembly;
        this.edge = edge;
        this.tasks = tasks;
    }

    Outlet outlet() {
        if (assembly.job.plan().straight(edge)) {
            return sameTask();
        }
        return tasks == 1 ? firstTask() : edge.grouping().accept(this);
    }

    abstract Outlet sameTask();

    abstract Outlet firstTask();

    abstract Outlet everyTask();

    abstract Outlet chosen(Chooser chooser);

    private String operator() {
        return assembly.graph().node(edge.to()).name();
    }

    @Override
    public Outlet inTurn(Grouping.InTurn grouping) {
        return chosen(assembly.specialiser.make(Chooser.InTurn.class, tasks, assembly.index));
    }

    @Override
    public Outlet forward(Grouping.Forward grouping) {
        throw new IllegalStateException("forward needs equal parallelism");
    }

    @Override
    public Outlet byKey(Grouping.ByKey grouping) {
        return chosen(assembly.specialiser.make(
                Chooser.ByKey.class,
                tasks,
                assembly.frame,
                operator(),
                grouping.key().function(),
                grouping.key().type().codec()));
    }

    @Override
    public Outlet custom(Grouping.Custom grouping) {
        return chosen(assembly.specialiser.make(Chooser.Custom.class, tasks, assembly.frame, operator(), grouping));
    }

    @Override
    public Outlet broadcast(Grouping.Broadcast grouping) {
        return everyTask();
    }

    @Override
    public Outlet global(Grouping.Global grouping) {
        return firstTask();
    }

    /** To tasks of this job, each behind a ring. */
    static final class ToRings extends Outlets {
        private final List<Ring> rings;
        private final long stepMs;
        private final @Nullable Codec<Object> copies;

        /**
         * @param rings to each of the tasks, or to the one of the same number
         * @param stepMs and copies as {@link Router} has them
         */
        ToRings(
                Assembly assembly,
                Edge edge,
                int tasks,
                List<Ring> rings,
                long stepMs,
                @Nullable Codec<Object> copies) {
            super(assembly, edge, tasks);
            this.rings = rings;
            this.stepMs = stepMs;
            this.copies = copies;
        }

        @Override
        Outlet sameTask() {
            return firstTask();
        }

        @Override
        Outlet firstTask() {
            return assembly.specialiser.make(Router.Straight.class, assembly.frame, rings, stepMs, copies);
        }

        @Override
        Outlet everyTask() {
            return assembly.specialiser.make(Router.Broadcast.class, assembly.frame, rings, stepMs, copies);
        }

        @Override
        Outlet chosen(Chooser chooser) {
            return assembly.specialiser.make(Router.Chosen.class, assembly.frame, rings, stepMs, copies, chooser);
        }
    }

    /** To tasks that somebody else runs. */
    static final class ToCarrier extends Outlets {
        private final Carrier carrier;
        private final Handover.Edge ofTask;

        ToCarrier(Assembly assembly, Edge edge, Carrier carrier, Handover.Edge ofTask) {
            super(assembly, edge, ofTask.tasks());
            this.carrier = carrier;
            this.ofTask = ofTask;
        }

        private Outlet straight(int target) {
            return assembly.specialiser.make(Handover.Straight.class, carrier, assembly.frame, ofTask, target);
        }

        @Override
        Outlet sameTask() {
            return straight(assembly.index);
        }

        @Override
        Outlet firstTask() {
            return straight(0);
        }

        @Override
        Outlet everyTask() {
            return assembly.specialiser.make(Handover.Broadcast.class, carrier, assembly.frame, ofTask);
        }

        @Override
        Outlet chosen(Chooser chooser) {
            return assembly.specialiser.make(Handover.Chosen.class, carrier, assembly.frame, ofTask, chooser);
        }
    }
}
