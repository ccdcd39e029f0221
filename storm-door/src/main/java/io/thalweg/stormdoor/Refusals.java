// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import org.apache.storm.topology.StatefulBoltExecutor;

/** What of Storm is not here, and is refused before anything runs. */
final class Refusals {
    private final Layout layout;
    private final ClassLoader loader;

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
            if (className.startsWith("org.apache.storm.drpc.")
                    || className.equals("org.apache.storm.coordination.CoordinatedBolt")) {
                throw layout.problem(
                        component.id(),
                        "it serves DRPC requests, and there is no DRPC server; keep it on Storm, or put a source before it");
            }
        }
        return keepTuples;
    }
}
