// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateFormat;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * A stream that leads back, as a checkpoint has it: the records that were on their way to a task. In the state of the operator that they
 * were led back to, each task writes its number and runs of records: how many there are, split and position of
 * the first, then each record with its time and stamp.
 *
 * @param timed records have event times
 */
public record FeedbackSnapshot(Edge edge, StateName name, boolean timed) {
    private static final String PREFIX = "led back from ";

    /** The task that a record goes to now, which was on its way to a former one. */
    public interface Destination {
        /** @param former number of the former task */
        int task(Object value, int former) throws Exception;
    }

    /**
     * The records of a checkpoint that are for a task.
     *
     * @param ring holds them
     */
    public record OnTheirWay(Ring ring, long records) {}

    /** The streams that lead back to an operator. The same one may do so twice: these are told apart by their order. */
    public static List<FeedbackSnapshot> into(TopologyGraph graph, Node node) {
        Map<String, Integer> alike = new HashMap<>();
        List<FeedbackSnapshot> streams = new ArrayList<>();
        for (Edge edge : graph.feedback()) {
            if (edge.to() == node.id()) {
                String described = PREFIX + described(graph, edge);
                int number = alike.merge(described, 1, Integer::sum);
                streams.add(new FeedbackSnapshot(
                        edge,
                        new StateName(node.name(), number == 1 ? described : described + ", again " + number),
                        graph.node(edge.from()).timed()));
            }
        }
        return streams;
    }

    private static String described(TopologyGraph graph, Edge edge) {
        return graph.node(edge.from()).name()
                + (edge.port().equals(Edge.MAIN) ? "" : " (side '" + edge.port() + "')")
                + (edge.input() == 0 ? "" : " to the second input");
    }

    /** Made only when a checkpoint is taken or restored: other jobs lead back records that have no codec. */
    StateFormat format() {
        return StateFormat.ofWhole(timed ? "records with times" : "records", edge.type());
    }

    /**
     * Checks that all records in a checkpoint that were led back to an operator still are.
     *
     * @throws ConnectorException if a stream is not led back any more, or its records have another type
     */
    public static void check(SavedState saved, TopologyGraph graph, Node node) {
        Set<String> declared = new HashSet<>();
        for (FeedbackSnapshot stream : into(graph, node)) {
            declared.add(stream.name.name().substring(PREFIX.length()));
            saved.check(stream.name, stream.format(), stream.edge.type());
        }
        saved.checkDeclared(node.name(), PREFIX, declared);
    }

    void write(int task, ByteWriter to) {
        to.writeVarLong(task);
    }

    /** Adds the records of a batch from an index on. */
    void write(Batch batch, int from, ByteWriter to) {
        Codec<Object> codec = edge.type().codec();
        to.writeVarLong(batch.size - from);
        to.writeText(batch.split);
        to.writeVarLong(batch.offset);
        for (int i = from; i < batch.size; i++) {
            codec.encode(batch.values[i], to);
            if (timed) {
                to.writeVarLong(batch.times[i]);
                to.writeVarLong(batch.stamps[i]);
            }
        }
    }

    /** A record that was read. */
    private record Entry(Object value, long time, long stamp) {}

    /** Records that were in one batch. */
    private record Run(String split, long offset, List<Entry> entries) {}

    /**
     * Reads what is for each of the tasks, by their numbers; those that nothing is for are left out. A record is decoded once, and not by
     * each task to see whether it is its own.
     *
     * @param nowNs from when on they count as being on their way
     */
    public Map<Integer, OnTheirWay> restored(SavedState saved, Destination destination, long nowNs) {
        Map<Integer, List<Run>> runs = new HashMap<>();
        Codec<Object> codec = saved.reader(name, edge.type());
        for (ByteReader in : saved.whole(name, format())) {
            int former = (int) in.readVarLong();
            while (in.remaining() > 0) {
                run(in, codec, value -> task(destination, value, former))
                        .forEach((task, run) -> runs.computeIfAbsent(task, none -> new ArrayList<>())
                                .add(run));
            }
        }
        Map<Integer, OnTheirWay> rings = new HashMap<>();
        runs.forEach((task, own) -> rings.put(task, ring(own, nowNs)));
        return rings;
    }

    /** The records of a run, by the task that they are for. */
    private Map<Integer, Run> run(ByteReader in, Codec<Object> codec, ToIntFunction<Object> destination) {
        long count = in.readVarLong();
        String split = in.readText();
        long offset = in.readVarLong();
        Map<Integer, Run> runs = new HashMap<>();
        for (long i = 0; i < count; i++) {
            Object value = codec.decode(in);
            Entry entry = new Entry(value, timed ? in.readVarLong() : 0, timed ? in.readVarLong() : 0);
            runs.computeIfAbsent(destination.applyAsInt(value), none -> new Run(split, offset, new ArrayList<>()))
                    .entries
                    .add(entry);
        }
        return runs;
    }

    private int task(Destination destination, Object value, int former) {
        try {
            return destination.task(value, former);
        } catch (Exception e) {
            throw new ConnectorException(
                    "operator '" + name.operator() + "': a record in the checkpoint that was " + name.name()
                            + " cannot be led back: " + e.getMessage(),
                    e);
        }
    }

    private OnTheirWay ring(List<Run> runs, long nowNs) {
        long records = runs.stream().mapToLong(run -> run.entries.size()).sum();
        int length = (int) ((records - 1) / runs.size()) + 1; // a single long run must not make all batches as long
        int batches = runs.stream()
                .mapToInt(run -> (run.entries.size() - 1) / length + 1)
                .sum();
        Ring ring = new Ring(Integer.highestOneBit(2 * batches - 1), length, timed, false, () -> {}, () -> {});
        for (Run run : runs) {
            for (int from = 0; from < run.entries.size(); from += length) {
                Batch batch = ring.claim();
                if (batch == null) {
                    throw new IllegalStateException("there is room for " + batches + " batches");
                }
                fill(batch, run, run.entries.subList(from, Math.min(from + length, run.entries.size())), nowNs);
                ring.publish();
            }
        }
        return new OnTheirWay(ring, records);
    }

    private static void fill(Batch batch, Run run, List<Entry> entries, long nowNs) {
        for (Entry entry : entries) {
            int at = batch.size++;
            batch.values[at] = entry.value;
            if (batch.timed) {
                batch.times[at] = entry.time;
                batch.stamps[at] = entry.stamp;
            }
        }
        batch.split = run.split;
        batch.offset = run.offset;
        batch.dueNs = nowNs;
    }
}
