// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.storm.PooledLocalCluster;
import java.io.IOException;
import java.time.Duration;
import org.apache.storm.Config;
import org.apache.storm.ProcessSimulator;
import org.apache.storm.generated.StormTopology;

/** Storm's LocalCluster: everything in this JVM. */
final class InProcess implements Cluster {
    private static final Duration STOP = Duration.ofMinutes(5);

    private final PooledLocalCluster storm = PooledLocalCluster.take();

    InProcess() throws Exception {}

    @Override
    public void submit(String name, Config config, StormTopology topology) throws Exception {
        storm.submit(name, config, topology);
    }

    /** Also waits for the end of its worker, which would go on to commit to a Kafka broker that is gone. */
    @Override
    public void kill(String name) throws Exception {
        if (!storm.kill(name)) {
            throw new IOException("Storm's LocalCluster does not end " + name);
        }
        long untilNs = System.nanoTime() + STOP.toNanos();
        while (!ProcessSimulator.getAllProcessHandles().isEmpty()) {
            if (System.nanoTime() > untilNs) {
                throw new IOException("the worker of " + name + " does not end");
            }
            Thread.sleep(20);
        }
    }

    @Override
    public void close() {
        storm.discard();
    }
}
