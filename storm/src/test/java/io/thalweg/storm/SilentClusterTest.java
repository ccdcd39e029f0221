// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.server.TServer;
import org.apache.storm.thrift.server.TThreadPoolServer;
import org.apache.storm.thrift.transport.TServerSocket;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.thrift.transport.layered.TFramedTransport;
import org.apache.storm.utils.NimbusClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job on a cluster that takes it, and whose workers end at their start. */
@Timeout(900)
@Tag("integration")
final class SilentClusterTest {
    private static final String ID = "silent-1-17";

    @TempDir
    private Path folder;

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final List<String> killed = new CopyOnWriteArrayList<>();
    private final List<String> methods = new CopyOnWriteArrayList<>();

    /** Each look at the clock is half a minute later. */
    private final AtomicLong seconds = new AtomicLong();

    private final Clock clock = () -> Duration.ofSeconds(seconds.addAndGet(30)).toNanos();

    private TServer server;
    private Thread thread;
    private int port;
    private volatile String submitted = "";
    private volatile boolean alive = true;
    private volatile boolean led = true;
    private volatile boolean writes;
    private volatile boolean takes = true;
    private volatile boolean answers = true;

    /** What it has taken, it lists when it was sent again. */
    private volatile boolean takesLate;

    private volatile boolean kills = true;
    private volatile boolean sendsBreak;

    /** How many calls to kill a topology are not answered. */
    private final AtomicInteger brokenKills = new AtomicInteger();

    /** Each topology fails. */
    private volatile boolean fails;

    /** Nimbus answers nothing. */
    private volatile boolean away;

    /** It is away as soon as a topology was killed and its client has looked for messages that are left. */
    private volatile boolean leaves;

    /** By session, which is the key. */
    private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();

    @BeforeEach
    void start() throws Exception {
        Nimbus.Iface nimbus = (Nimbus.Iface) Proxy.newProxyInstance(
                Nimbus.Iface.class.getClassLoader(),
                new Class<?>[] {Nimbus.Iface.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
        TServerSocket socket = new TServerSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        port = socket.getServerSocket().getLocalPort();
        TThreadPoolServer.Args options = new TThreadPoolServer.Args(socket)
                .transportFactory(new TFramedTransport.Factory())
                .processor(new Nimbus.Processor<>(nimbus));
        server = new TThreadPoolServer(options);
        thread = new Thread(server::serve, "nimbus");
        thread.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        thread.join();
    }

    private Object answer(String method, Object[] arguments) throws Exception {
        methods.add(method);
        if (away) {
            throw new TTransportException("the connection breaks");
        }
        return switch (method) {
            case "getClusterInfo" -> cluster();
            case "getLeader" -> {
                if (!led) {
                    throw new AuthorizationException("no leader");
                }
                yield nimbus();
            }
            case "beginFileUpload" -> {
                if (sendsBreak) {
                    throw new TTransportException("the connection breaks");
                }
                yield "job.jar";
            }
            case "submitTopology" -> {
                if (takesLate && !submitted.isEmpty()) {
                    throw new AlreadyAliveException(submitted + " is already alive");
                }
                submitted = takes ? (String) arguments[0] : "";
                if (!answers) {
                    throw new TTransportException("the connection breaks");
                }
                yield null;
            }
            case "killTopologyWithOpts" -> {
                if (brokenKills.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new TTransportException("the connection breaks");
                }
                killed.add((String) arguments[0]);
                if (!kills) {
                    throw new TTransportException("the connection breaks");
                }
                yield null;
            }
            case "getTopologyInfoWithOpts" -> silent();
            case "beginBlobDownload" -> {
                String key = (String) arguments[0];
                boolean stopped = blobs.keySet().stream().anyMatch(each -> each.endsWith("-cancel"));
                if (key.endsWith("-0") && (stopped || fails)) {
                    ByteWriter out = new ByteWriter(64);
                    ControlMessage.Kind end = fails ? ControlMessage.Kind.FAILED : ControlMessage.Kind.OVER;
                    ControlMessage.of(end, 0, 0, "broken").writeTo(out);
                    blobs.put(key, out.toByteArray());
                    yield new BeginDownloadResult(1, key);
                }
                throw new KeyNotFoundException("no message");
            }
            case "downloadBlobChunk" -> {
                byte[] blob = blobs.remove((String) arguments[0]);
                yield ByteBuffer.wrap(blob == null ? new byte[0] : blob);
            }
            case "beginCreateBlob" -> arguments[0];
            case "uploadBlobChunk" -> {
                blobs.put((String) arguments[0], new byte[] {1});
                yield null;
            }
            case "isRemoteBlobExists" -> {
                if (leaves && !killed.isEmpty()) {
                    away = true;
                }
                if (writes) {
                    throw new IllegalStateException("it is being written");
                }
                yield false;
            }
            case "uploadChunk", "finishFileUpload", "finishBlobUpload", "createStateInZookeeper", "deleteBlob" -> null;
            default -> throw new UnsupportedOperationException(method);
        };
    }

    private NimbusSummary nimbus() {
        return new NimbusSummary("127.0.0.1", port, 1, true, "2.8.3");
    }

    private ClusterSummary cluster() {
        boolean late =
                takesLate && methods.stream().filter("submitTopology"::equals).count() < 2;
        List<TopologySummary> topologies = submitted.isEmpty() || !alive || late
                ? List.of()
                : List.of(new TopologySummary(ID, submitted, 3, 3, 1, 30, "ACTIVE"));
        return new ClusterSummary(List.of(new SupervisorSummary("one", 1, 2, 0, "1")), topologies, List.of(nimbus()));
    }

    private TopologyInfo silent() {
        ExecutorSummary spout = new ExecutorSummary(new ExecutorInfo(1, 1), "chain-0", "one", 6700, 0);
        return new TopologyInfo(ID, submitted, 30, List.of(spout), "ACTIVE", Map.of());
    }

    private StormJob start(String name) {
        return start(name, clock, Duration.ofMinutes(10));
    }

    private StormJob start(String name, Clock time, Duration killing) {
        return start(name, time, killing, RunSettings.defaults());
    }

    private StormJob start(String name, Clock time, Duration killing, RunSettings of) {
        Topology topology = Topology.named(name);
        topology.from(Sources.generate(10, n -> n)).to(Sinks.discard());
        RunSettings settings = of.withWarnings(warnings::add).withClock(time);
        return StormRunner.on(settings, NimbusSubmitter.at("127.0.0.1:" + port, null, warnings::add, killing))
                .start(topology.graph());
    }

    @Test
    void shouldTellWhatNimbusSays_andEndTheJobInTheEnd() {
        StormJob job = start("silent");
        String why = "1 of its 1 executors have not come up, on one:6700; ";
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("topology 'silent' has not begun on Storm after 300 s: " + why);
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("topology 'silent' has not begun on Storm after 30 s: " + why)
                .endsWith("; the job waits, 5 minutes at most");
        assertThat(killed).containsExactly(submitted);
    }

    /** How the job ended is told, too. */
    @Test
    void shouldSayHowToEndATopologyThatCannotBeKilled() {
        kills = false;
        StormJob job = start("silent", clock, Duration.ZERO);
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("topology 'silent' has not begun on Storm after 300 s: ");
        assertThat(warnings)
                .last()
                .asString()
                .startsWith("topology " + submitted + " may still be on the cluster, since it could not be killed: ")
                .endsWith("; look for it, as with 'storm list', and end it with 'storm kill " + submitted + "'");
    }

    @Test
    void shouldFailWhereSomebodyHasKilledIt() {
        alive = false;
        StormJob job = start("killed");
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessage(
                        "topology 'killed' has not begun on Storm after 30 s: it is on the cluster no more: somebody"
                                + " has killed it");
    }

    /** Nimbus answers with an error of its own while it writes a blob. */
    @Test
    void shouldEndAsItDoes_whereNimbusIsJustWritingTheCancel() {
        alive = false;
        writes = true;
        StormJob job = start("written");
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageEndingWith("somebody has killed it");
    }

    @Test
    void shouldNotSubmitWhatItCouldNeitherFollowNorStop() {
        led = false;
        assertThatThrownBy(() -> start("alone"))
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("Nimbus at 127.0.0.1:" + port + ": its blob store, ")
                .hasMessageContaining("no leader")
                .hasMessageEndingWith(
                        "so no topology was submitted; check that the leader which that Nimbus names can be"
                                + " reached from here");
        assertThat(submitted).isEmpty();
    }

    /** Whom Storm's own clients ask in this JVM, which may have a LocalCluster already. */
    @Test
    void shouldAskItsCluster_besideALocalCluster() throws Exception {
        alive = false;
        List<String> asked = new CopyOnWriteArrayList<>();
        Nimbus.Iface other = (Nimbus.Iface) Proxy.newProxyInstance(
                Nimbus.Iface.class.getClassLoader(),
                new Class<?>[] {Nimbus.Iface.class},
                (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    throw new KeyNotFoundException("not here");
                });
        NimbusClient.LocalOverride override =
                NimbusClient.isLocalOverride() ? null : new NimbusClient.LocalOverride(other);
        try {
            assertThatThrownBy(start("beside")::await).isInstanceOf(JobFailedException.class);
        } finally {
            if (override != null) {
                override.close();
            }
        }
        assertThat(asked).isEmpty();
        assertThat(methods).contains("getLeader", "beginBlobDownload");
    }

    /** Otherwise a topology would run that nobody watches. */
    @Test
    void shouldGoOn_whereTheAnswerIsLostAndTheTopologyIsThere() {
        answers = false;
        StormJob job = start("unanswered");
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("topology 'unanswered' has not begun on Storm after 300 s: ");
        assertThat(submitted).startsWith("unanswered-");
        assertThat(killed).containsExactly(submitted);
    }

    /** Nimbus takes one topology of each name: of two requests it refuses one. */
    @Test
    void shouldSendATopologyAgain_whereTheAnswerIsLostAndItIsNotThereYet() {
        answers = false;
        takesLate = true;
        StormJob job = start("late");
        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("topology 'late' has not begun on Storm after 300 s: ");
        assertThat(methods.stream().filter("submitTopology"::equals)).hasSize(2);
        assertThat(warnings)
                .first()
                .asString()
                .startsWith("Nimbus at 127.0.0.1:" + port + " has not answered when it was sent topology " + submitted)
                .endsWith("; it is sent again");
        assertThat(killed).containsExactly(submitted);
    }

    @Test
    void shouldSayHowToEndATopology_whereTheAnswerIsLostAndItIsNotThereYet() {
        answers = false;
        takes = false;
        assertThatThrownBy(() -> start("unanswered"))
                .isInstanceOf(JobFailedException.class)
                .message()
                .startsWith("Nimbus at 127.0.0.1:" + port + " has not answered when it was sent topology unanswered-")
                .matches(".* and if it is there, end it with 'storm kill unanswered-[0-9a-f]{8}'")
                .doesNotContain("\n");
    }

    @Test
    void shouldTakeACancelAfterItsEnd() {
        alive = false;
        StormJob job = start("over");
        assertThatThrownBy(job::await).isInstanceOf(JobFailedException.class);
        job.cancel();
        assertThat(job.stats().state()).isEqualTo(JobState.FAILED);
    }

    /** Storm's topologies run on without a Nimbus, as while it restarts. */
    @Test
    void shouldFollowAndStopAJob_whoseNimbusWasAway() throws Exception {
        StormJob job = start("followed", () -> 0, Duration.ofMinutes(10));
        away = true;
        while (warnings.isEmpty()) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        job.cancel();
        away = false;

        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(killed).containsExactly(submitted);
        assertThat(warnings)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("Nimbus at 127.0.0.1:" + port + " does not answer (")
                                .endsWith("); topology " + submitted
                                        + " may run on without it, and is followed again when it answers"),
                        line -> assertThat(line).isEqualTo("Nimbus at 127.0.0.1:" + port + " answers again"));
    }

    @Test
    void shouldKillATopology_whoseNimbusIsAwayForAMoment() {
        brokenKills.set(2);
        assertThatThrownBy(start("silent")::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("topology 'silent' has not begun on Storm after 300 s: ");
        assertThat(killed).containsExactly(submitted);
        assertThat(warnings).last().asString().endsWith(" answers again");
    }

    /** Two attempts would write to one output. */
    @Test
    void shouldNotSubmitTheNextAttempt_beforeTheLastOneIsKilled() throws Exception {
        fails = true;
        kills = false;
        StormJob job = start(
                "lingering",
                () -> 0,
                Duration.ZERO,
                RunSettings.defaults()
                        .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder))
                        .withRestart(Restart.fixed(1, Duration.ZERO)));
        while (warnings.stream().noneMatch(line -> line.contains("could not be killed, and may still write"))) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        assertThat(methods).containsOnlyOnce("submitTopology");
        assertThat(warnings)
                .last()
                .isEqualTo("topology 'lingering': the topology of its last attempt, " + submitted
                        + ", could not be killed, and may still write; the job continues when it is");
        kills = true;
        assertThatThrownBy(job::await).isInstanceOf(JobFailedException.class).hasMessage("broken");
        assertThat(methods.stream().filter("submitTopology"::equals)).hasSize(2);
    }

    /** With as many restarts as there are failures of the job, and no more. */
    @Test
    void shouldNotCountARestart_whileNimbusIsAway() throws Exception {
        fails = true;
        leaves = true;
        StormJob job = start(
                "waiting",
                () -> 0,
                Duration.ofMinutes(10),
                RunSettings.defaults()
                        .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder))
                        .withRestart(Restart.fixed(1, Duration.ZERO)));
        while (warnings.size() < 2) {
            assertThat(job.await(Duration.ofMillis(20))).isFalse();
        }
        assertThat(warnings)
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("broken; it continues from its last checkpoint"),
                        line -> assertThat(line)
                                .startsWith("Nimbus at 127.0.0.1:" + port + " does not answer (")
                                .endsWith("); the job continues when it answers again"));
        assertThat(methods).containsOnlyOnce("submitTopology");
        leaves = false;
        away = false;
        assertThatThrownBy(job::await).isInstanceOf(JobFailedException.class).hasMessage("broken");
        assertThat(methods.stream().filter("submitTopology"::equals)).hasSize(2);
        assertThat(job.restarts()).isOne();
    }

    /** Storm's client wraps what breaks while it sends the jar. */
    @Test
    void shouldSayInOneLine_thatNimbusDoesNotAnswer_whileTheJarIsSent() {
        sendsBreak = true;
        assertThatThrownBy(() -> start("unsent"))
                .isInstanceOf(JobFailedException.class)
                .message()
                .startsWith("Nimbus at 127.0.0.1:" + port + " does not answer (")
                .doesNotContain("\n");
        assertThat(submitted).isEmpty();
    }
}
