package com.example;

import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;

/** Runs the job without the command line, from an IDE for instance. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Topology topology = Topology.named("word-count");
        new WordCount().define(topology, Settings.none());
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();
    }
}
