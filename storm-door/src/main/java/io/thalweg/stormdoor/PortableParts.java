// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.List;
import org.apache.storm.Config;
import org.apache.storm.topology.IStatefulBolt;
import org.apache.storm.topology.StatefulBoltExecutor;

/** Of a graph whose tasks may be in any processes, and what cannot be so. */
record PortableParts(Layout layout, PortableTopology topology) implements DoorGraph.Parts<SerializedTuple> {
    private static final String INSTEAD = "; run the topology in this process";

    /** @throws io.thalweg.api.graph.TopologyException if it needs that all its tasks are in one process */
    static void check(Layout layout, ClassLoader loader) {
        if (layout.trident) {
            throw layout.problem(
                    "", "it is a Trident topology, whose batches are coordinated within one process only" + INSTEAD);
        }
        if (layout.ackers > 0) {
            throw layout.problem(
                    "",
                    "its tuples are acked (" + Config.TOPOLOGY_ACKER_EXECUTORS + " is " + layout.ackers
                            + (layout.conf.get(Config.TOPOLOGY_ACKER_EXECUTORS) == null ? " if it is not set" : "")
                            + "), which works within one process only; set it to 0, and tuples that are on their way when"
                            + " the job ends or fails are lost, or run the topology in this process");
        }
        if (layout.conf.get(StormDoor.STATE_DIRECTORY) != null) {
            throw layout.problem(
                    "", StormDoor.STATE_DIRECTORY + " is a folder of one process's" + INSTEAD + ", or leave it out");
        }
        for (Layout.Component component : layout.components.values()) {
            if (component.object().is_set_serialized_java()) {
                Object made = Components.made(layout, component, loader);
                if (made instanceof IStatefulBolt || made instanceof StatefulBoltExecutor) {
                    throw layout.problem(
                            component.id(),
                            "it is a stateful bolt, whose state is committed within one process only" + INSTEAD);
                }
            }
        }
        if (!layout.functions.isEmpty()) {
            throw layout.problem(
                    layout.functions.get(0).component(),
                    "the DRPC calls that it takes come from within one process only" + INSTEAD);
        }
        for (Layout.Subscription each : layout.subscriptions) {
            if (each.back()) {
                throw layout.problem(
                        each.to(),
                        "stream '" + each.stream() + "' of '" + each.from()
                                + "' leads back to it, which works within one process only" + INSTEAD);
            }
        }
    }

    private List<String> ahead(Layout.Component component) {
        return List.copyOf(layout.ahead(component.id()));
    }

    @Override
    public Type<SerializedTuple> type() {
        return SerializedTuple.TYPE;
    }

    @Override
    public Source<SerializedTuple> spout(Layout.Component component) {
        return new PortableSpout(topology, component.id(), component.executors().size());
    }

    @Override
    public OperatorSupplier<? extends Operator<SerializedTuple, SerializedTuple>> fork(Layout.Component spout) {
        return new PortableFork.Supplier(ahead(spout));
    }

    @Override
    public OperatorSupplier<? extends Operator<SerializedTuple, SerializedTuple>> bolt(
            Layout.Component component, int tickSecs) {
        return new PortableBolt.Supplier(topology, component.id(), ahead(component), tickSecs);
    }

    @Override
    public Source<SerializedTuple> nothing() {
        return new Silence<>(SerializedTuple.TYPE, null);
    }

    @Override
    public boolean here() {
        return false;
    }

    @Override
    public boolean ownThreads(Layout.Component component) {
        return true;
    }
}
