// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.observation.FlinkDetails;
import io.thalweg.doctor.observation.FlinkSamples;
import io.thalweg.doctor.observation.FlinkVertex;
import io.thalweg.doctor.observation.Observation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of the shape that Flink 2.3 gives, for a source and what is behind it. */
final class FlinkDetailsTest {
    private static final String JOB = "/jobs/" + "7".repeat(32);
    private static final String IN = "a".repeat(32);
    private static final String SUM = "b".repeat(32);
    private static final String IN_NAME = "Source: in -> parse";
    private static final String INPUT_METRICS = "/subtasks/metrics?get=Shuffle.Netty.Input.Buffers.inPoolUsage,"
            + "Shuffle.Netty.Input.numBuffersInLocal,Shuffle.Netty.Input.numBuffersInRemote,"
            + "Shuffle.Netty.Input.numBytesInLocal,Shuffle.Netty.Input.numBytesInRemote&agg=max,sum";
    private static final String OUTPUT_METRICS =
            "/subtasks/metrics?get=Shuffle.Netty.Output.Buffers.outPoolUsage&agg=max,sum";
    private static final String GRAPH = "/flamegraph?type=full";

    /** By path, with the query if it is among them with it. */
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private FlinkRest rest;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.createContext("/", this::answer);
        server.start();
        rest = new FlinkRest(
                HttpClient.newHttpClient(),
                "http",
                "127.0.0.1:" + server.getAddress().getPort());
        answers.put("/config", "{\"flink-version\":\"2.3.0\"}");
        answers.put(
                "/taskmanagers",
                "{\"taskmanagers\":[{\"id\":\"tm\",\"path\":\"pekko.tcp://flink@10.0.0.1:1/user\",\"slotsNumber\":2,"
                        + "\"hardware\":{\"cpuCores\":4}}]}");
        taskManager(0, 80);
        look(0, 0, 0);
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = exchange.getRequestURI().getQuery();
        asked.add(path);
        String text = answers.get(path + "?" + query);
        text = text == null ? answers.get(path) : text;
        byte[] body = (text == null ? "{\"errors\":[\"not found\"]}" : text).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(text == null ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What the cluster says at a moment, of tasks that were busy and idle for so long. */
    private void look(long nowMs, long busyMs, long idleMs) {
        answers.put(JOB, """
                {"jid":"7","name":"job","state":"RUNNING","start-time":1000000,"end-time":-1,"now":%d,
                 "vertices":[{"id":"%s","name":"%s","parallelism":1},{"id":"%s","name":"sum","parallelism":1}],
                 "plan":{"type":"STREAMING","nodes":[
                  {"id":"%s","parallelism":1,"operator":"","operator_strategy":"","description":"in","optimizer_properties":{}},
                  {"id":"%s","parallelism":1,"operator":"","description":"sum","inputs":[
                   {"num":0,"id":"%s","ship_strategy":"HASH","exchange":"pipelined_bounded"}]}]}}""".formatted(1_005_000 + nowMs, IN, IN_NAME, SUM, IN, SUM, IN));
        task(IN, busyMs, idleMs);
        task(SUM, busyMs, idleMs);
    }

    private void task(String vertex, long busyMs, long idleMs) {
        answers.put(JOB + "/vertices/" + vertex, """
                {"id":"%s","subtasks":[{"subtask":0,"status":"RUNNING","attempt":0,"taskmanager-id":"tm","metrics":{
                 "read-bytes":10,"read-records":100,"write-records":100,"accumulated-backpressured-time":0,
                 "accumulated-idle-time":%d,"accumulated-busy-time":%d.0}}]}""".formatted(vertex, idleMs, busyMs));
    }

    private void taskManager(long cpuNs, long networkPercent) {
        answers.put(
                "/taskmanagers/tm/metrics",
                "[{\"id\":\"Status.JVM.CPU.Time\",\"value\":\"" + cpuNs + "\"},{\"id\":\"Status.JVM.Memory.Heap.Max\","
                        + "\"value\":\"1000\"},{\"id\":\"Status.Shuffle.Netty.RequestedMemoryUsage\",\"value\":\""
                        + networkPercent + "\"}]");
    }

    private void buffers(double inPool, double outPool, long local, long remote) {
        answers.put(JOB + "/vertices/" + SUM + INPUT_METRICS, """
                [{"id":"Shuffle.Netty.Input.Buffers.inPoolUsage","max":%s,"sum":%s},
                 {"id":"Shuffle.Netty.Input.numBuffersInLocal","max":9.0,"sum":%d.0},
                 {"id":"Shuffle.Netty.Input.numBuffersInRemote","max":9.0,"sum":%d.0},
                 {"id":"Shuffle.Netty.Input.numBytesInLocal","max":9.0,"sum":%d.0},
                 {"id":"Shuffle.Netty.Input.numBytesInRemote","max":9.0,"sum":%d.0}]""".formatted(
                        inPool, 2 * inPool, local, remote, 10 * local, 20 * remote));
        answers.put(
                JOB + "/vertices/" + IN + OUTPUT_METRICS,
                "[{\"id\":\"Shuffle.Netty.Output.Buffers.outPoolUsage\",\"max\":" + outPool + ",\"sum\":9}]");
    }

    /** Of the two inputs of a vertex. */
    private void watermarks(String one, String other) {
        answers.put(
                JOB + "/vertices/" + SUM + "/watermarks",
                "[{\"id\":\"0.currentInputWatermark\",\"value\":\"" + one + "\"},"
                        + "{\"id\":\"1.currentInputWatermark\",\"value\":\"" + other + "\"}]");
    }

    private FlinkObserver observer() throws Exception {
        return new FlinkObserver(rest, new FlinkJob("7".repeat(32), "job", "RUNNING"));
    }

    @Test
    void shouldTakeWhatFlinkTells() throws Exception {
        answers.put(
                JOB + "/config",
                "{\"jid\":\"7\",\"name\":\"job\",\"execution-config\":{\"restart-strategy\":\"none\",\"job-parallelism\":1,"
                        + "\"object-reuse-mode\":false,\"user-config\":{}}}");
        answers.put(
                JOB + "/checkpoints/config",
                "{\"mode\":\"exactly_once\",\"interval\":1000,\"state_backend\":\"EmbeddedRocksDBStateBackend\"}");
        answers.put(
                JOB + "/jobmanager/config",
                "[{\"key\":\"execution.buffer-timeout.interval\",\"value\":\"5 ms\"},"
                        + "{\"key\":\"taskmanager.network.memory.buffer-debloat.enabled\",\"value\":\"true\"}]");
        buffers(0.2, 0.5, 1_000, 2_000);
        watermarks("5000", "-9223372036854775808");
        FlinkObserver observer = observer();

        look(2_000, 1_800, 200);
        watermarks("7000", "9000");
        taskManager(3_000_000_000L, 130);
        buffers(0.4, 1.0, 1_500, 2_100);
        answers.put(JOB + "/vertices/" + IN + GRAPH, "{\"endTimestamp\":-3}");
        answers.put(JOB + "/vertices/" + SUM + GRAPH, "{\"endTimestamp\":5,\"data\":" + stacks() + "}");
        assertThat(observer.look()).isTrue();
        answers.put(
                JOB + "/vertices/" + IN + GRAPH,
                "{\"endTimestamp\":7,\"data\":{\"name\":\"root\",\"value\":8,\"children\":[]}}");
        taskManager(3_000_000_000L, 90);
        assertThat(observer.look()).isTrue();
        Observation observed = observer.observation();

        assertThat(observed.spans()).hasSize(1);
        assertThat(observed.flink())
                .isEqualTo(new FlinkDetails(
                        false,
                        "EmbeddedRocksDBStateBackend",
                        5L,
                        true,
                        true,
                        130L,
                        null,
                        null,
                        List.of(
                                new FlinkVertex(
                                        IN_NAME,
                                        null,
                                        0.75,
                                        null,
                                        null,
                                        null,
                                        new FlinkSamples(8, 0, 0, 0, 0, 0, 0L),
                                        null,
                                        null),
                                new FlinkVertex(
                                        "sum",
                                        (0.2 + 0.4) / 2,
                                        null,
                                        600L,
                                        10L * 500 + 20L * 100,
                                        20L * 100,
                                        new FlinkSamples(100 - 25 - 3, 20, 30, 7, 15, 4, 14L),
                                        7_000L,
                                        0.5))));
    }

    @Test
    void shouldCountAgainFromTheBeginningOfTasksThatWereStartedAgain() throws Exception {
        buffers(0, 0, 1_000, 0);
        FlinkObserver observer = observer();
        look(2_000, 1_800, 200);
        buffers(0, 0, 50, 0);
        observer.look();

        assertThat(observer.observation().flink().vertices().get(1).buffersIn()).isEqualTo(50);
    }

    @Test
    void shouldLeaveOpenWhatFlinkDoesNotTell() throws Exception {
        answers.put("/taskmanagers/tm/metrics", "[]");
        FlinkObserver observer = observer();
        look(2_000, 1_800, 200);
        observer.look();

        assertThat(observer.observation().flink())
                .isEqualTo(new FlinkDetails(
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        List.of(
                                new FlinkVertex(IN_NAME, null, null, null, null, null, null, null, null),
                                new FlinkVertex("sum", null, null, null, null, null, null, null, null))));
    }

    @Test
    void shouldCountForHowLongAWatermarkStands_ifThereIsOne() throws Exception {
        watermarks("-9223372036854775808", "9000");
        FlinkObserver observer = observer();
        look(2_000, 1_800, 200);
        observer.look();
        assertThat(observer.observation().flink().vertices().get(1).watermark()).isNull();
        watermarks("8000", "9000");
        for (int looks = 2; looks <= 4; looks++) {
            look(2_000L * looks, 1_800L * looks, 200L * looks);
            observer.look();
        }

        FlinkVertex sum = observer.observation().flink().vertices().get(1);

        assertThat(sum.watermark()).isEqualTo(8_000);
        assertThat(sum.watermarkStill()).isEqualTo(3.0 / 5);
    }

    @Test
    void shouldTellThatNoTaskHasASlot() throws Exception {
        for (String vertex : List.of(IN, SUM)) {
            answers.put(
                    JOB + "/vertices/" + vertex,
                    "{\"subtasks\":[{\"subtask\":0,\"status\":\"SCHEDULED\",\"attempt\":0,\"taskmanager-id\":\"(unassigned)\"}]}");
        }
        String unassigned = answers.get(JOB + "/vertices/" + IN);
        FlinkObserver observer = observer();
        look(2_000, 0, 0);
        answers.put(JOB + "/vertices/" + IN, unassigned);
        answers.put(JOB + "/vertices/" + SUM, unassigned);

        assertThat(observer.look()).isTrue();
        Observation observed = observer.observation();

        assertThat(observed.flink().waitingForSlots()).isEqualTo(2);
        assertThat(Doctor.diagnose(observed).findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.rule()).isEqualTo("not-running"));
    }

    @Test
    void shouldAskOnceForFlameGraphsThatAreSwitchedOff() throws Exception {
        answers.put(JOB + "/vertices/" + IN + GRAPH, "{\"endTimestamp\":-2}");
        FlinkObserver observer = observer();
        observer.look();
        assertThat(asked).as("nobody is known to be busy").noneMatch(path -> path.endsWith("/flamegraph"));

        look(2_000, 1_800, 200);
        observer.look();
        observer.look();

        assertThat(observer.observation().flink().flameGraphs()).isFalse();
        assertThat(asked).filteredOn(path -> path.endsWith("/flamegraph")).hasSize(1);
    }

    @Test
    void shouldNotAskForFlameGraphsOfTasksThatWait() throws Exception {
        FlinkObserver observer = observer();
        look(2_000, 500, 1_500);
        observer.look();

        assertThat(observer.observation().spans()).hasSize(1);
        assertThat(asked).noneMatch(path -> path.endsWith("/flamegraph"));
    }

    private static String node(String frame, int samples, String... children) {
        return "{\"name\":\"" + frame + "\",\"value\":" + samples + ",\"children\":[" + String.join(",", children)
                + "]}";
    }

    /** Of 100 samples, 25 wait for records; 20 are in copies, 12 of these in Kryo; 10 send, 3 of these wait for a buffer; 15 receive, 4 reach state, and 14 write. */
    private static String stacks() {
        String flink = "org.apache.flink.";
        String kryo = flink + "api.java.typeutils.runtime.kryo.KryoSerializer.";
        String copies = node(
                flink + "streaming.runtime.tasks.CopyingChainingOutput.pushToOperator:75",
                50,
                node(kryo + "copy:240", 12, node("com.esotericsoftware.kryo.Kryo.copy:1000", 12)),
                node(flink + "api.java.typeutils.runtime.PojoSerializer.copy:200", 8),
                node(
                        "com.example.Job.map:17",
                        30,
                        node("com.example.Document.copy:9", 2),
                        node(
                                flink + "streaming.runtime.operators.sink.SinkWriterOperator.processElement:150",
                                14,
                                node("com.example.Store.write:5", 14)),
                        node(
                                flink + "streaming.runtime.io.RecordWriterOutput.collect:90",
                                10,
                                node(
                                        flink + "runtime.io.network.api.writer.RecordWriter.emit:105",
                                        10,
                                        node(kryo + "serialize:300", 2),
                                        node(
                                                flink
                                                        + "runtime.io.network.buffer.LocalBufferPool.requestMemorySegmentBlocking:400",
                                                3)))));
        return node(
                "root",
                100,
                node(
                        "java.lang.Thread.run:840",
                        100,
                        copies,
                        node(
                                flink + "streaming.runtime.tasks.mailbox.TaskMailboxImpl.take:161",
                                25,
                                node("jdk.internal.misc.Unsafe.park:-2", 25)),
                        node(
                                flink
                                        + "runtime.io.network.api.serialization.SpillingAdaptiveSpanningRecordDeserializer.getNextRecord:80",
                                15,
                                node(kryo + "deserialize:380", 15)),
                        node(
                                flink + "state.rocksdb.RocksDBValueState.value:80",
                                4,
                                node(kryo + "deserialize:380", 1, node("org.rocksdb.RocksDB.get:1", 1)))));
    }

    @Test
    void shouldReadStacksThatAreDeeperThanOtherAnswers() throws Exception {
        String deep = node("org.rocksdb.RocksDB.get:1", 1);
        for (int i = 0; i < 120; i++) {
            deep = node("com.example.Job.call:" + i, 1, deep);
        }
        answers.put("/deep", deep);

        assertThat(FlameGraphs.samples(rest.findStacks("/deep"))).isEqualTo(new FlinkSamples(1, 0, 0, 0, 0, 1, 0L));
        assertThatThrownBy(() -> rest.find("/deep")).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5ms, 5", "'100 ms', 100", "2 s, 2000", "1min, 60000", "1 h, 3600000", "soon,", "-1 ms,", "'',"
    })
    void shouldReadDurationsAsFlinkWritesThem(String text, Long ms) {
        assertThat(FlinkSettings.millis(text)).isEqualTo(ms);
    }

    @Test
    void shouldKnowTheOldNameOfTheTimeout_andThatThereIsNone() throws Exception {
        answers.put(JOB + "/jobmanager/config", "[{\"key\":\"execution.buffer-timeout\",\"value\":\"0\"}]");
        assertThat(FlinkSettings.of(rest, JOB).bufferTimeoutMs()).isZero();

        answers.put(
                JOB + "/jobmanager/config",
                "[{\"key\":\"execution.buffer-timeout.interval\",\"value\":\"5 ms\"},"
                        + "{\"key\":\"execution.buffer-timeout.enabled\",\"value\":\"false\"}]");
        assertThat(FlinkSettings.of(rest, JOB).bufferTimeoutMs()).isEqualTo(-1);
    }
}
