// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.GroupingVisitor;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.chain.Specialiser;
import org.jspecify.annotations.Nullable;

/** Makes the outlet of a task along an edge: a router for the edge's grouping. */
public final class RouterFactory implements GroupingVisitor<Outlet> {
    /**
     * The edge and the task before it.
     *
     * @param operator the next operator
     * @param task its number
     */
    public record Site(String operator, Frame frame, int task, Specialiser specialiser) {}

    private final Site site;
    private final int tasks;
    private final Sender sender;
    private final @Nullable Codec<Object> copies;

    /**
     * @param tasks number of downstream tasks
     * @param copies the codec to copy records with; null if they need no copy
     */
    public RouterFactory(Site site, int tasks, Sender sender, @Nullable Codec<Object> copies) {
        this.site = site;
        this.tasks = tasks;
        this.sender = sender;
        this.copies = copies;
    }

    /** @param straight each task sends to the one with its own number, which is the only one that the sender has */
    public Outlet outlet(Grouping grouping, boolean straight) {
        return tasks == 1 || straight ? firstTask() : grouping.accept(this);
    }

    private Outlet firstTask() {
        return site.specialiser().make(new Router.Straight.Parts(sender, copies));
    }

    private Outlet chosen(Chooser chooser) {
        return site.specialiser().make(new Router.Chosen.Parts(sender, copies, chooser));
    }

    @Override
    public Outlet inTurn(Grouping.InTurn grouping) {
        return chosen(site.specialiser().make(new Chooser.InTurn.Parts(tasks, site.task())));
    }

    @Override
    public Outlet forward(Grouping.Forward grouping) {
        throw new IllegalStateException("forward needs equal parallelism");
    }

    @Override
    public Outlet byKey(Grouping.ByKey grouping) {
        return chosen(site.specialiser()
                .make(new Chooser.ByKey.Parts(
                        tasks,
                        site.frame(),
                        site.operator(),
                        grouping.key().function(),
                        grouping.key().type().codec())));
    }

    @Override
    public Outlet chosen(Grouping.Chosen grouping) {
        return chosen(
                site.specialiser().make(new Chooser.ByRecord.Parts(tasks, site.frame(), site.operator(), grouping)));
    }

    @Override
    public Outlet broadcast(Grouping.Broadcast grouping) {
        return site.specialiser().make(new Router.Broadcast.Parts(sender, copies));
    }

    @Override
    public Outlet global(Grouping.Global grouping) {
        return firstTask();
    }
}
