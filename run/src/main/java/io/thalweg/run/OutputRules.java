// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import java.nio.file.Path;
import java.util.List;

/**
 * What every runner requires of the files that a run writes itself: none of them is an input of the job, as {@link
 * io.thalweg.api.connector.Source#reads} has it. For what sinks write, this is checked when the graph is built.
 */
public final class OutputRules {
    /** Of the engine, on Storm too, and of Flink; what Flink puts into directories below matters only to globs with {@code **}. */
    private static final List<String> CHECKPOINTS = List.of(
            "checkpoint-1",
            "savepoint-topology-1",
            "savepoint-000000-000000000000/_metadata",
            "00000000000000000000000000000000/chk-1/_metadata",
            "00000000000000000000000000000000/shared/00000000-0000-0000-0000-000000000000");

    private OutputRules() {}

    /**
     * Checks dead letters and checkpoints. Nothing is opened, created or deleted before.
     *
     * @throws TopologyException if they would be written where the job reads, or the dead letters to the output of a sink
     */
    public static void check(TopologyGraph graph, RunSettings settings) {
        if (!settings.failOnBad()) { // otherwise none are kept
            settings.badRecords().writes().forEach(letters -> checkDeadLetters(graph, letters));
        }
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints != null) {
            WriteTarget place = new WriteTarget.Directory(checkpoints.directory(), CHECKPOINTS);
            checkIsNotRead(
                    graph,
                    place,
                    "the checkpoints of the job would be written to " + place,
                    "choose another directory with --checkpoint-dir");
        }
    }

    private static void checkDeadLetters(TopologyGraph graph, WriteTarget letters) {
        check(graph, letters, "the dead letters of the job", "--dead-letters");
    }

    /**
     * Checks a file that is written beside the results of a job, such as its metrics.
     *
     * @param what is written there, for the message
     * @param option that names the file
     * @throws TopologyException if the job reads the file, or one of its sinks writes it
     */
    public static void check(TopologyGraph graph, WriteTarget file, String what, String option) {
        String instead = "choose another file with " + option;
        checkIsNotRead(graph, file, what + " would be written to " + file, instead);
        for (Node node : graph.nodes()) {
            Sink<Object> sink = node.spec().sink();
            for (WriteTarget place : sink == null ? List.<WriteTarget>of() : sink.writes()) {
                if (file.files().stream().anyMatch(place::has)) {
                    throw new TopologyException(
                            graph.name(),
                            node.name(),
                            "it writes to " + place + ", and " + what + " would be written to " + file + "; "
                                    + instead);
                }
            }
        }
    }

    /**
     * Checks that no sink replaces a file.
     *
     * @param what the file is, for the message
     * @throws TopologyException if one does
     */
    public static void checkKeeps(TopologyGraph graph, Path file, String what) {
        for (Node node : graph.nodes()) {
            Sink<Object> sink = node.spec().sink();
            for (WriteTarget place : sink == null ? List.<WriteTarget>of() : sink.writes()) {
                if (place.has(file)) {
                    throw new TopologyException(
                            graph.name(),
                            node.name(),
                            "it writes to " + place + ", which is " + what + "; write to another file");
                }
            }
        }
    }

    private static void checkIsNotRead(TopologyGraph graph, WriteTarget place, String what, String instead) {
        Node reader = graph.readerOf(place);
        if (reader != null) {
            throw new TopologyException(
                    graph.name(),
                    reader.name(),
                    what + ", which it reads; " + instead + ", or name its inputs otherwise");
        }
    }
}
