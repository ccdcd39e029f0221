// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.ArrayList;
import java.util.List;
import org.apache.storm.drpc.DRPCSpout;
import org.apache.storm.topology.StatefulBoltExecutor;

/** What of Storm is not here, and is refused before anything runs. */
final class Refusals {
    private final Layout layout;
    private final ClassLoader loader;
    private final List<DrpcFunction> functions = new ArrayList<>();

    Refusals(Layout layout, ClassLoader loader) {
        this.layout = layout;
        this.loader = loader;
    }

    /** Throws what is refused; true if a bolt may keep tuples as state, and read them again. */
    boolean check() {
        boolean keepTuples = false;
        if (layout.system.get_state_spouts_size() > 0) {
            throw layout.problem("", "it has state spouts, which Storm itself does not run");
        }
        for (Layout.Component component : layout.components.values()) {
            if (!component.object().is_set_serialized_java()) {
                continue;
            }
            Object made = Components.made(layout, component, loader);
            keepTuples |= made instanceof StatefulBoltExecutor;
            String className = made.getClass().getName();
            if (className.startsWith("org.apache.storm.trident.")) {
                throw layout.problem(
                        component.id(),
                        "it is a part of a Trident topology, whose coordinator and state need ZooKeeper, and there is none;"
                                + " keep it on Storm, or write it with spouts, windowed bolts and stateful bolts");
            }
            if (made instanceof DRPCSpout spout) {
                functions.add(DrpcFunction.of(layout, component.id(), spout));
            }
        }
        return keepTuples;
    }

    /** What it answers, once it is checked. */
    List<DrpcFunction> functions() {
        return List.copyOf(functions);
    }
}
