// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.drpc.DRPCSpout;
import org.apache.storm.topology.StatefulBoltExecutor;

/** What of Storm is not here, and is refused before anything runs. */
final class Refusals {
    private final Layout layout;
    private final ClassLoader loader;
    private final List<DrpcFunction> functions = new ArrayList<>();
    private boolean trident;

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
        if (layout.conf.get(Config.TOPOLOGY_BLOBSTORE_MAP) instanceof Map<?, ?> blobs && !blobs.isEmpty()) {
            throw layout.problem("", StormOptions.noBlobs(blobs.keySet()));
        }
        for (Layout.Component component : layout.components.values()) {
            if (!component.object().is_set_serialized_java()) {
                continue;
            }
            Object made = Components.made(layout, component, loader);
            keepTuples |= made instanceof StatefulBoltExecutor;
            trident |= made.getClass().getName().startsWith("org.apache.storm.trident.");
            DRPCSpout calls = DrpcFunction.spout(made);
            if (calls != null) {
                functions.add(DrpcFunction.of(layout, component.id(), calls));
            }
        }
        if (trident && layout.ackers == 0) {
            throw layout.problem(
                    "",
                    "it is a Trident topology, whose batches are complete when their tuples are acked; leave"
                            + " topology.acker.executors as it is, or set it to 1");
        }
        if (keepTuples && layout.ackers == 0 && layout.conf.get(StormDoor.STATE_DIRECTORY) != null) {
            throw layout.problem(
                    "",
                    "it has stateful bolts, and their checkpoints are complete when their tuples are acked: with"
                            + " topology.acker.executors: 0 nothing would be kept in " + StormDoor.STATE_DIRECTORY
                            + "; leave that option as it is, or set it to 1");
        }
        return keepTuples;
    }

    /** Whether it is a Trident topology, once it is checked. */
    boolean trident() {
        return trident;
    }

    /** What it answers, once it is checked. */
    List<DrpcFunction> functions() {
        return List.copyOf(functions);
    }
}
