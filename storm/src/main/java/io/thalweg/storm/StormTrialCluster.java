// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.TrialCluster;
import java.nio.file.Path;

/** {@code thalweg storm start} and {@code stop}. */
public final class StormTrialCluster implements TrialCluster {
    @Override
    public String name() {
        return "storm";
    }

    @Override
    public String start(Path folder, int workers) throws InterruptedException {
        String address = StormCluster.start(folder, workers);
        return "Storm accepts topologies at " + address + ": ZooKeeper, Nimbus, and a supervisor for " + workers
                + (workers == 1 ? " worker" : " workers") + "; logs in " + folder + "\n"
                + "  a job:    thalweg run JOB --on storm=" + address + "\n"
                + "  stop it:  thalweg storm stop";
    }

    @Override
    public boolean stop(Path folder) throws InterruptedException {
        return StormCluster.stop(folder);
    }
}
