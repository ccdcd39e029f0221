// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.FlinkSamples;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks for flame graphs of vertices. A cluster begins to sample when it is asked, says for some seconds that it has none yet, and
 * keeps what it has for a minute; by default it has them switched off. Not thread-safe.
 */
final class FlameGraphs {
    /** More vertices are not asked for: the cluster takes a hundred samples of the tasks of each. */
    private static final int MOST = 8;

    /** What Flink answers instead of the time of the last sample. */
    private static final String SWITCHED_OFF = "-2";

    private final FlinkRest rest;
    private final String job;
    private final Set<String> wanted = new LinkedHashSet<>();
    private final Map<String, FlinkSamples> seen = new HashMap<>();
    private @Nullable Boolean enabled;

    /** @param job its path */
    FlameGraphs(FlinkRest rest, String job) {
        this.rest = rest;
        this.job = job;
    }

    /** Whether the cluster has them; null if it was not asked, or did not say. */
    @Nullable Boolean enabled() {
        return enabled;
    }

    /** Of a vertex that is worth it, unless there are enough. */
    void want(String vertex) {
        if (wanted.size() < MOST) {
            wanted.add(vertex);
        }
    }

    /** Asks for those that are missing. */
    void ask() throws IOException, InterruptedException {
        for (String vertex : wanted) {
            if (!Boolean.FALSE.equals(enabled) && !seen.containsKey(vertex)) {
                Answer graph = rest.findStacks(job + "/vertices/" + vertex + "/flamegraph?type=full");
                String end = graph == null ? "" : graph.at("endTimestamp").text();
                if (!end.isEmpty()) {
                    enabled = !end.equals(SWITCHED_OFF);
                }
                if (graph != null && graph.at("data").at("value").count() > 0) {
                    seen.put(vertex, samples(graph.at("data")));
                }
            }
        }
    }

    /** Null if there are none. */
    @Nullable FlinkSamples of(String vertex) {
        return seen.get(vertex);
    }

    /** Where the samples of a graph were taken. */
    static FlinkSamples samples(Answer root) {
        Map<Group, Long> counts = new EnumMap<>(Group.class);
        count(root, "", Set.of(), counts);
        return new FlinkSamples(
                Math.max(0, root.at("value").count() - counts.getOrDefault(Group.WAITING, 0L)),
                counts.getOrDefault(Group.COPYING, 0L),
                counts.getOrDefault(Group.KRYO, 0L),
                Math.max(0, counts.getOrDefault(Group.SENDING, 0L)),
                counts.getOrDefault(Group.RECEIVING, 0L),
                counts.getOrDefault(Group.STATE, 0L),
                counts.getOrDefault(Group.WRITING, 0L));
    }

    /** Frames, by the class and the method that they are in, whose samples, with those of all that they call, are told of. */
    private enum Group {
        /** For records, or for room for them. */
        WAITING("org\\.apache\\.flink\\.streaming\\.runtime\\.tasks\\.mailbox\\.TaskMailboxImpl\\.take"),
        COPYING(".*\\.copy", "org\\.apache\\.flink\\.streaming\\.runtime\\.tasks\\.CopyingChainingOutput\\..*"),
        KRYO("org\\.apache\\.flink\\.api\\.java\\.typeutils\\.runtime\\.kryo\\..*"),
        SENDING("org\\.apache\\.flink\\.(?:streaming\\.runtime\\.io\\.RecordWriterOutput"
                + "|runtime\\.io\\.network\\.api\\.writer)\\..*"),
        RECEIVING("org\\.apache\\.flink\\.runtime\\.io\\.network\\.(?:partition\\.consumer"
                + "|api\\.serialization\\.SpillingAdaptiveSpanningRecordDeserializer)\\..*"),
        STATE(
                "org\\.apache\\.flink\\.(?:contrib\\.streaming\\.state|state\\.rocksdb|state\\.forst)\\..*|org\\.rocksdb\\..*"),
        WRITING("org\\.apache\\.flink\\.streaming\\.runtime\\.operators\\.sink\\.SinkWriterOperator\\.processElement");

        private final Pattern frames;
        private final Pattern callers;

        Group(String frames) {
            this(frames, ".*");
        }

        Group(String frames, String callers) {
            this.frames = Pattern.compile(frames);
            this.callers = Pattern.compile(callers);
        }

        boolean has(String frame, String caller) {
            return frames.matcher(frame).matches() && callers.matcher(caller).matches();
        }
    }

    /** A task that waits for a buffer is held back, and does not send. */
    private static final Pattern NO_ROOM = Pattern.compile(
            "org\\.apache\\.flink\\.runtime\\.io\\.network\\.buffer\\.LocalBufferPool\\.request\\w+Blocking");

    private static void count(Answer node, String caller, Set<Group> within, Map<Group, Long> counts) {
        String frame = withoutLine(node.at("name").text());
        long samples = node.at("value").count();
        Set<Group> groups = EnumSet.noneOf(Group.class);
        groups.addAll(within);
        for (Group group : Group.values()) {
            if (group.has(frame, caller) && groups.add(group)) {
                counts.merge(group, samples, Long::sum);
            }
        }
        if (groups.contains(Group.SENDING) && NO_ROOM.matcher(frame).matches()) {
            counts.merge(Group.SENDING, -samples, Long::sum);
            counts.merge(Group.WAITING, samples, Long::sum);
            return;
        }
        for (Answer child : node.at("children").elements()) {
            count(child, frame, groups, counts);
        }
    }

    /** {@code org.x.Y.copy} of {@code org.x.Y.copy:17}. */
    private static String withoutLine(String frame) {
        int line = frame.lastIndexOf(':');
        return line < 0 ? frame : frame.substring(0, line);
    }
}
