// SPDX-License-Identifier: Apache-2.0
package com.example;

import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.flink.FlinkRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.storm.StormRunner;
import java.nio.file.Path;
import java.util.List;

/** Runs the job on each road. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        // region run
        Topology topology = Topology.named("levels");
        new Levels().define(topology, Settings.none());
        RunSettings settings = RunSettings.defaults();
        JobStats end = new EmbeddedRunner(settings).start(topology.graph()).await();
        // endregion
        System.out.println(end.recordsIn() + " levels");
    }

    static List<Runner> others(RunSettings settings) {
        // region roads
        Runner flink = FlinkRunner.inThisJvm(settings);
        Runner cluster = FlinkRunner.on("127.0.0.1:8081", settings, List.of(Path.of("target/roads-1.0.0.jar")));
        Runner storm = StormRunner.local(settings, 1);
        // endregion
        return List.of(flink, cluster, storm);
    }
}
