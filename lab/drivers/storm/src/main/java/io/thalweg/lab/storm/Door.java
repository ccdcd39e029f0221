// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.io.IOException;
import java.time.Duration;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.jspecify.annotations.Nullable;

/** Thalweg's front end for Storm in this JVM, one topology at a time. */
final class Door implements Cluster {
    private static final Duration STOP = Duration.ofSeconds(30);

    private @Nullable StormRun run;

    @Override
    public void submit(String name, Config config, StormTopology topology) {
        ClassLoader loader = Door.class.getClassLoader();
        run = StormDoor.of(name, topology, config, null, loader).start(RunSettings.defaults());
    }

    /** Throws what made the topology fail, if it did. */
    @Override
    public void kill(String name) throws Exception {
        StormRun running = run;
        run = null;
        if (running != null && !running.stop(STOP)) {
            throw new IOException(name + " does not end");
        }
    }

    @Override
    public void close() {
        // nothing stays between topologies
    }
}
