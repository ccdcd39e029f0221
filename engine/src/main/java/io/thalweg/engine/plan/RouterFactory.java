// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.GroupingVisitor;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.route.Chooser;
import io.thalweg.engine.route.Router;
import io.thalweg.engine.route.Sender;
import org.jspecify.annotations.Nullable;

/** Makes the outlet of a task along an edge: a router for the edge's grouping. */
final class RouterFactory implements GroupingVisitor<Outlet> {
    private final TaskSite site;
    private final Edge edge;
    private final int tasks;
    private final Sender sender;
    private final @Nullable Codec<Object> copies;

    /**
     * @param tasks number of downstream tasks
     * @param copies as in {@link Router}
     */
    RouterFactory(TaskSite site, Edge edge, int tasks, Sender sender, @Nullable Codec<Object> copies) {
        this.site = site;
        this.edge = edge;
        this.tasks = tasks;
        this.sender = sender;
        this.copies = copies;
    }

    Outlet outlet() {
        boolean straight = tasks == 1 || site.job().plan().straight(edge);
        return straight ? firstTask() : edge.grouping().accept(this);
    }

    private Outlet firstTask() {
        return site.specialiser().make(new Router.Straight.Parts(sender, copies));
    }

    private Outlet chosen(Chooser chooser) {
        return site.specialiser().make(new Router.Chosen.Parts(sender, copies, chooser));
    }

    private String operator() {
        return site.graph().node(edge.to()).name();
    }

    @Override
    public Outlet inTurn(Grouping.InTurn grouping) {
        return chosen(site.specialiser().make(new Chooser.InTurn.Parts(tasks, site.index())));
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
                        operator(),
                        grouping.key().function(),
                        grouping.key().type().codec())));
    }

    @Override
    public Outlet chosen(Grouping.Chosen grouping) {
        return chosen(site.specialiser().make(new Chooser.ByRecord.Parts(tasks, site.frame(), operator(), grouping)));
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
