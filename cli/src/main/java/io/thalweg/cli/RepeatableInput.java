// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Generator;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.job.LoadedJob;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Whether a job's runs can be compared: its input must end, and be the same each time. */
final class RepeatableInput {
    private RepeatableInput() {}

    /**
     * Has the job define its topology, without what it prints.
     *
     * @param verb what is to be done with it: {@code tune}
     * @param hint what else to do about a source that does not end; empty, or it begins with a comma
     * @throws ConnectorException if a source does not end, or cannot be read again; the message says what to do instead
     */
    static TopologyGraph graph(JobOptions options, LoadedJob loaded, String verb, String hint) {
        TopologyGraph graph = defined(options, loaded);
        graph.nodes().forEach(node -> check(node, verb, hint));
        return graph;
    }

    /** Has the job define its topology, without what it prints. */
    static TopologyGraph defined(JobOptions options, LoadedJob loaded) {
        PrintStream before = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try {
            return options.define(loaded);
        } finally {
            System.setOut(before);
        }
    }

    /** Whether it must be recorded to be read twice, or keeps a rate by itself and so is as slow in every run. */
    static boolean isLive(Source<Object> source) {
        return !source.readOnce().isEmpty()
                || isUnbounded(source)
                || (source instanceof Generator<?> generator && generator.perSecond() > 0);
    }

    private static boolean isUnbounded(Source<Object> source) {
        return source.endless() || (source instanceof LiveSource<Object> live && !live.replayable());
    }

    /**
     * Whether every input is there, which otherwise each run finds out.
     *
     * @throws ConnectorException if one is not
     */
    static void shouldBeThere(TopologyGraph graph) throws Exception {
        for (Node node : graph.nodes()) {
            Source<Object> source = node.spec().source();
            if (source != null) {
                source.splits(1);
            }
        }
    }

    private static void check(Node node, String verb, String hint) {
        Source<Object> source = node.spec().source();
        if (source == null) {
            return;
        }
        String whatToDo = "; " + verb + " it with a recorded stretch in a file, or with a source that ends";
        if (!source.readOnce().isEmpty()) {
            throw new ConnectorException("'" + node.name() + "' reads " + source.name()
                    + ", which nobody can read a second time" + whatToDo + hint);
        }
        if (isUnbounded(source)) {
            boolean live = source instanceof LiveSource;
            throw new ConnectorException("'" + node.name() + "' reads " + source.name() + ", "
                    + (live ? "a live source, which is " : "which is ")
                    + (source.endless() ? "endless" : "never the same") + whatToDo
                    + (live && source.replayable() ? ", such as .untilLatest() of Kafka's" : "") + hint);
        }
    }
}
