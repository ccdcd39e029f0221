// SPDX-License-Identifier: Apache-2.0
package org.apache.storm;

import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.StreamInfo;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.CompletableSpout;
import org.apache.storm.testing.CompleteTopologyParam;
import org.apache.storm.testing.FixedTuple;
import org.apache.storm.testing.FixedTupleSpout;
import org.apache.storm.testing.MkClusterParam;
import org.apache.storm.testing.MkTupleParam;
import org.apache.storm.testing.TestJob;
import org.apache.storm.testing.TupleCaptureBolt;
import org.apache.storm.thrift.TException;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for Storm's helpers of tests of the same name: a topology gets fixed tuples, and the test what each component emits. Time is
 * the machine's: {@code withSimulatedTimeLocalCluster} runs in it too, and what would move the time is refused. So is what tracks tuples.
 *
 * <pre>{@code
 * MockedSources sources = new MockedSources();
 * sources.addMockData("sentences", new Values("the cow"), new Values("the moon"));
 * CompleteTopologyParam param = new CompleteTopologyParam();
 * param.setMockedSources(sources);
 * Testing.withLocalCluster(cluster -> {
 *     Map<String, List<FixedTuple>> results = Testing.completeTopology(cluster, topology, param);
 *     assertTrue(Testing.multiseteq(
 *             List.of(new Values("the", 1), new Values("cow", 1), new Values("the", 2), new Values("moon", 1)),
 *             Testing.readTuples(results, "counts")));
 * });
 * }</pre>
 */
public class Testing {
    /** How long to wait where a test says nothing else, in milliseconds: 10,000, or what the environment has as STORM_TEST_TIMEOUT_MS. */
    public static final int TEST_TIMEOUT_MS = timeoutMs(System.getenv("STORM_TEST_TIMEOUT_MS"));

    private static final Clock CLOCK = Clock.system();
    private static final long LOOK_MS = 5;

    /** As Storm has it; all methods are static. */
    public Testing() {}

    private static int timeoutMs(@Nullable String given) {
        try {
            return given == null ? 10_000 : Integer.parseInt(given);
        } catch (NumberFormatException e) {
            return 10_000;
        }
    }

    /** What a test waits for. */
    public interface Condition {
        /** Whether it is so. */
        boolean exec();
    }

    /**
     * A topology beside which a bolt keeps all that is emitted.
     *
     * @param <T> as Storm has it
     */
    public static final class CapturedTopology<T> {
        /** The topology, with that bolt. */
        public final T topology;

        /** The bolt. */
        public final TupleCaptureBolt capturer;

        /** Both. */
        public CapturedTopology(T topology, TupleCaptureBolt capturer) {
            this.topology = topology;
            this.capturer = capturer;
        }
    }

    // ---- waiting

    /** The same with {@link #TEST_TIMEOUT_MS}. */
    public static void whileTimeout(Condition condition, Runnable body) {
        whileTimeout(TEST_TIMEOUT_MS, condition, body);
    }

    /**
     * Runs something again and again as long as a condition holds.
     *
     * @throws AssertionError if it still holds after that time
     */
    public static void whileTimeout(long timeoutMs, Condition condition, Runnable body) {
        long startedNs = CLOCK.nowNs();
        while (condition.exec()) {
            if (CLOCK.nowNs() - startedNs > TimeUnit.MILLISECONDS.toNanos(timeoutMs)) {
                throw new AssertionError("what the test waits for has not come within " + timeoutMs
                        + " ms; set a longer timeout, or STORM_TEST_TIMEOUT_MS");
            }
            body.run();
        }
    }

    /** Whether all are so. */
    public static <T> boolean isEvery(Collection<T> values, Predicate<T> predicate) {
        return values.stream().allMatch(predicate);
    }

    /** Waits a moment. */
    public static void simulateWait(ILocalCluster cluster) throws InterruptedException {
        pause();
    }

    private static void pause() throws InterruptedException {
        new CountDownLatch(1).await(LOOK_MS, TimeUnit.MILLISECONDS);
    }

    // ---- clusters

    /** Runs a test with a cluster, which is closed afterwards. */
    public static void withLocalCluster(TestJob code) {
        withLocalCluster(new MkClusterParam(), code);
    }

    /**
     * The same.
     *
     * @param param what its daemons are told; nothing else makes a difference. Null for a param that says nothing
     * @throws RuntimeException of what the test throws
     */
    public static void withLocalCluster(@Nullable MkClusterParam param, TestJob code) {
        try (LocalCluster cluster = new LocalCluster.Builder()
                .withDaemonConf(param == null ? null : param.getDaemonConf())
                .build()) {
            code.run(cluster);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    /** The same, in the machine's time. */
    public static void withSimulatedTimeLocalCluster(TestJob code) {
        withLocalCluster(code);
    }

    /** The same, in the machine's time. */
    public static void withSimulatedTimeLocalCluster(@Nullable MkClusterParam param, TestJob code) {
        withLocalCluster(param, code);
    }

    /** A cluster; the caller closes it. Of what it is told, {@code daemon-conf} makes a difference. */
    @SuppressWarnings("unchecked") // as Storm has it
    public static ILocalCluster getLocalCluster(Map<String, Object> conf) {
        try {
            return new LocalCluster.Builder()
                    .withDaemonConf((Map<String, Object>) conf.get("daemon-conf"))
                    .build();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    /** Moves the cluster's time; the stand-in refuses it. */
    public static void advanceClusterTime(ILocalCluster cluster, Integer seconds) throws InterruptedException {
        cluster.advanceClusterTime(seconds);
    }

    /** The same, in steps. */
    public static void advanceClusterTime(ILocalCluster cluster, Integer seconds, Integer step)
            throws InterruptedException {
        cluster.advanceClusterTime(seconds, step);
    }

    /** Refused. */
    @SuppressWarnings("DoNotCallSuggester") // compiled tests call it
    public static void withSimulatedTime(Runnable code) {
        throw LocalCluster.missing("simulate time");
    }

    /** Refused. */
    @SuppressWarnings("DoNotCallSuggester") // as above
    public static void withTrackedCluster(TestJob code) {
        throw LocalCluster.missing("track tuples");
    }

    /** Refused. */
    @SuppressWarnings("DoNotCallSuggester") // as above
    public static void withTrackedCluster(MkClusterParam param, TestJob code) {
        throw LocalCluster.missing("track tuples");
    }

    // ---- topologies with fixed tuples

    /** A copy of a topology, beside which a bolt keeps all that its components emit, but for what is sent to a task that they choose. */
    public static CapturedTopology<StormTopology> captureTopology(StormTopology topology) {
        StormTopology copy = topology.deepCopy();
        Map<GlobalStreamId, Grouping> inputs = new HashMap<>();
        copy.get_spouts()
                .forEach((id, spout) -> addStreams(id, spout.get_common().get_streams(), inputs));
        copy.get_bolts().forEach((id, bolt) -> addStreams(id, bolt.get_common().get_streams(), inputs));
        TupleCaptureBolt capturer = new TupleCaptureBolt();
        Bolt bolt = Thrift.prepareSerializedBoltDetails(inputs, capturer, new HashMap<>(), 1, new HashMap<>());
        copy.put_to_bolts("captured-" + UUID.randomUUID(), bolt);
        return new CapturedTopology<>(copy, capturer);
    }

    private static void addStreams(
            String component, Map<String, StreamInfo> streams, Map<GlobalStreamId, Grouping> inputs) {
        streams.forEach((stream, info) -> inputs.put(
                new GlobalStreamId(component, stream),
                info.is_direct() ? Thrift.prepareDirectGrouping() : Thrift.prepareGlobalGrouping()));
    }

    /** The same with a param that says nothing. */
    public static Map<String, List<FixedTuple>> completeTopology(ILocalCluster cluster, StormTopology topology)
            throws InterruptedException, TException {
        return completeTopology(cluster, topology, new CompleteTopologyParam());
    }

    /**
     * Runs a topology until each tuple of its spouts has been acked or failed, and ends it.
     *
     * @return what was emitted, by component, in the order in which it came
     * @throws IllegalArgumentException if a spout is neither mocked nor a {@link CompletableSpout}, or what is mocked is no spout
     * @throws AssertionError if it takes longer than the timeout
     * @throws JobFailedException if the topology fails
     */
    public static Map<String, List<FixedTuple>> completeTopology(
            ILocalCluster cluster, StormTopology topology, CompleteTopologyParam param)
            throws TException, InterruptedException {
        CapturedTopology<StormTopology> captured = captureTopology(topology);
        List<CompletableSpout> spouts =
                spouts(captured.topology, param.getMockedSources().getData());
        String given = param.getTopologyName();
        String name = given == null ? "test-" + UUID.randomUUID() : given;
        spouts.forEach(CompletableSpout::startup);
        cluster.submitTopologyWithOpts(
                name, param.getStormConf(), captured.topology, new SubmitOptions(TopologyInitialStatus.ACTIVE));
        try {
            await(cluster, name, spouts, param.getTimeoutMs());
        } finally {
            end(cluster, name);
            if (param.getCleanupState()) {
                spouts.forEach(CompletableSpout::clean);
            }
        }
        return param.getCleanupState()
                ? captured.capturer.getAndRemoveResults()
                : captured.capturer.getAndClearResults();
    }

    /** Puts fixed tuples in place of those that are mocked. */
    private static List<CompletableSpout> spouts(StormTopology topology, Map<String, List<FixedTuple>> mocked) {
        Map<String, SpoutSpec> specs = topology.get_spouts();
        for (String each : mocked.keySet()) {
            if (!specs.containsKey(each)) {
                throw new IllegalArgumentException(
                        "the topology has no spout '" + each + "' to mock; it has " + specs.keySet());
            }
        }
        List<CompletableSpout> spouts = new ArrayList<>();
        specs.forEach((id, spec) -> {
            List<FixedTuple> tuples = mocked.get(id);
            if (tuples != null) {
                FixedTupleSpout fixed = new FixedTupleSpout(tuples);
                spec.set_spout_object(Thrift.serializeComponentObject(fixed));
                spec.get_common().set_parallelism_hint(1);
                spouts.add(fixed);
            } else if (Thrift.deserializeComponentObject(spec.get_spout_object()) instanceof CompletableSpout spout) {
                spouts.add(spout);
            } else {
                throw new IllegalArgumentException("spout '" + id
                        + "' never says that it has no more tuples; mock it, or make it a CompletableSpout");
            }
        });
        return spouts;
    }

    private static void await(ILocalCluster cluster, String name, List<CompletableSpout> spouts, long timeoutMs)
            throws TException, InterruptedException {
        long startedNs = CLOCK.nowNs();
        while (!isEvery(spouts, CompletableSpout::isExhausted)) {
            if (!runs(cluster, name)) {
                throw new IllegalStateException("topology '" + name + "' ended before its spouts had no more tuples");
            }
            if (CLOCK.nowNs() - startedNs > TimeUnit.MILLISECONDS.toNanos(timeoutMs)) {
                throw new AssertionError("topology '" + name + "' has not acked or failed all of its tuples within "
                        + timeoutMs + " ms; set a longer timeout, or STORM_TEST_TIMEOUT_MS");
            }
            pause();
        }
    }

    private static boolean runs(ILocalCluster cluster, String name) throws TException {
        return cluster.getClusterInfo().get_topologies().stream()
                .anyMatch(each -> each.get_name().equals(name));
    }

    /** What is on its way is executed first. */
    private static void end(ILocalCluster cluster, String name) throws TException, InterruptedException {
        if (cluster instanceof LocalCluster local) {
            local.end(name);
            return;
        }
        if (runs(cluster, name)) {
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            cluster.killTopologyWithOpts(name, now);
        }
        while (runs(cluster, name)) {
            pause();
        }
    }

    /** The values that a component emitted to its default stream. */
    public static List<List<Object>> readTuples(Map<String, List<FixedTuple>> results, String componentId) {
        return readTuples(results, componentId, Utils.DEFAULT_STREAM_ID);
    }

    /** The values that a component emitted to a stream. */
    public static List<List<Object>> readTuples(
            Map<String, List<FixedTuple>> results, String componentId, String streamId) {
        List<List<Object>> values = new ArrayList<>();
        for (FixedTuple each : results.getOrDefault(componentId, List.of())) {
            if (each.stream.equals(streamId)) {
                values.add(each.values);
            }
        }
        return values;
    }

    /** How often each value is there. */
    public static <T> Map<T, Integer> multiset(Collection<T> values) {
        Map<T, Integer> counts = new HashMap<>();
        values.forEach(each -> counts.merge(each, 1, Integer::sum));
        return counts;
    }

    /** Whether both have the same values, each as often, in whatever order. */
    public static <T> boolean multiseteq(Collection<T> one, Collection<T> other) {
        return multiset(one).equals(multiset(other));
    }

    // ---- tuples

    /** A tuple of stream {@code default} of a component {@code component}, with fields {@code field1}, {@code field2} and so on. */
    public static Tuple testTuple(List<Object> values) {
        return testTuple(values, new MkTupleParam());
    }

    /** A tuple; what the param does not say is as above. */
    public static Tuple testTuple(List<Object> values, MkTupleParam param) {
        String stream = param.getStream() == null ? Utils.DEFAULT_STREAM_ID : param.getStream();
        String component = param.getComponent() == null ? "component" : param.getComponent();
        List<String> names = param.getFields();
        Fields fields = new Fields(
                names == null || names.isEmpty()
                        ? IntStream.rangeClosed(1, values.size())
                                .mapToObj(i -> "field" + i)
                                .toList()
                        : names);
        GeneralTopologyContext context = new GeneralTopologyContext(
                new StormTopology(),
                new HashMap<>(),
                new HashMap<>(Map.of(1, component)),
                new HashMap<>(Map.of(component, List.of(1))),
                new HashMap<>(Map.of(component, new HashMap<>(Map.of(stream, fields)))),
                "test");
        return new TupleImpl(context, values, component, 1, stream);
    }
}
