// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import io.thalweg.stormlocal.Submissions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.jspecify.annotations.Nullable;

/**
 * What {@code thalweg storm run} does with the topologies of a main: each can be reached by {@code thalweg jobs} and {@code stop}.
 *
 * @param loader of the jars
 * @param resources what the jar has in {@code resources}
 * @param road where topologies run; null for this process
 * @param grace how long what is pending has when {@code thalweg stop} ends a topology
 * @param samples of those that run in this process; null for none
 */
record CommandHost(
        ClassLoader loader,
        List<Path> jars,
        Path resources,
        @Nullable Road road,
        Duration grace,
        @Nullable ExecutorSamples samples,
        Consumer<String> teller)
        implements Submissions.Host {
    CommandHost {
        jars = List.copyOf(jars);
    }

    @Override
    public StormDoor door(String name, StormTopology topology, Map<String, Object> conf) {
        Map<String, Object> others = new HashMap<>(conf);
        others.remove(Config.STORM_TOPOLOGY_SUBMISSION_NOTIFIER_PLUGIN); // which StormSubmitter itself heeds
        return StormDoor.of(name, topology, others, resources, loader);
    }

    @Override
    public StormRun start(StormDoor door, RunSettings settings) {
        if (road != null) {
            return road.start(door, settings, jars);
        }
        return samples == null ? door.start(settings) : samples.start(door, settings);
    }

    @Override
    public Runnable opened(Submissions.Submitted its, RunSettings settings) {
        String on = road == null ? Road.EMBEDDED : road.name();
        TopologyControl control = new TopologyControl(
                its.name(), its.run(), on, settings, drained -> its.kill(drained ? its.patience() : grace), teller);
        control.open();
        return control::close;
    }

    @Override
    public String where() {
        return road == null ? "" : " on " + road.name();
    }

    @Override
    public void tell(String line) {
        teller.accept(line);
    }
}
