// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.HostedSettings;
import io.thalweg.job.JobLoader;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.BadLimit;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Tolerance;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.thrift.server.TServer;
import org.apache.storm.thrift.server.TSimpleServer;
import org.apache.storm.thrift.transport.TServerSocket;
import org.apache.storm.thrift.transport.layered.TFramedTransport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What stands in the way of a job on a cluster is one line that says what to do. */
@Timeout(900)
@Tag("integration")
final class RefusedClusterTest {
    @TempDir
    private Path folder;

    /** A Nimbus that says nothing but what cluster it has. */
    private static void withNimbus(ClusterSummary cluster, Consumer<String> check) throws Exception {
        Nimbus.Iface nimbus = (Nimbus.Iface) Proxy.newProxyInstance(
                Nimbus.Iface.class.getClassLoader(),
                new Class<?>[] {Nimbus.Iface.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getClusterInfo")) {
                        return cluster;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
        TServerSocket socket = new TServerSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        TServer server = new TSimpleServer(new TServer.Args(socket)
                .transportFactory(new TFramedTransport.Factory())
                .processor(new Nimbus.Processor<>(nimbus)));
        Thread thread = new Thread(server::serve, "nimbus");
        thread.start();
        try {
            check.accept("127.0.0.1:" + socket.getServerSocket().getLocalPort());
        } finally {
            server.stop();
            thread.join();
        }
    }

    private static ClusterSummary cluster(String version) {
        NimbusSummary nimbus = new NimbusSummary("127.0.0.1", 6627, 1, true, version);
        SupervisorSummary supervisor = new SupervisorSummary("127.0.0.1", 1, 2, 2, "one");
        return new ClusterSummary(List.of(supervisor), List.of(), List.of(nimbus));
    }

    private static void start(String address) {
        Topology topology = Topology.named("refused");
        topology.from(Sources.generate(10, n -> n)).to(Sinks.discard());
        new StormProvider()
                .runner(RunSettings.defaults(), address, Map.of(), List.of())
                .start(topology.graph());
    }

    @Test
    void shouldNameAnotherVersion() throws Exception {
        withNimbus(
                cluster("2.6.4"),
                address -> assertThatThrownBy(() -> start(address))
                        .isInstanceOf(JobFailedException.class)
                        .hasMessage("the Storm at " + address
                                + " is version 2.6.4, but this Thalweg needs 2.8.x; use a matching"
                                + " version of Storm or of Thalweg"));
    }

    @Test
    void shouldSayThatNoSlotIsFree() throws Exception {
        withNimbus(
                cluster("2.8.3"),
                address -> assertThatThrownBy(() -> start(address))
                        .isInstanceOf(JobFailedException.class)
                        .hasMessageContaining(
                                "has no free worker slot; kill a topology there, or start a supervisor with more slots"));
    }

    @Test
    void shouldNameAClassThatAWorkerDoesNotHave() throws Exception {
        Path source = Files.writeString(folder.resolve("Lonely.java"), """
                import io.thalweg.api.connector.Sinks;
                import io.thalweg.api.connector.Sources;
                import io.thalweg.api.operator.MapFunction;
                import io.thalweg.api.topology.Settings;
                import io.thalweg.api.topology.Topology;
                import io.thalweg.api.topology.TopologyDefinition;

                public final class Lonely implements TopologyDefinition {
                    static final class More implements MapFunction<Long, Long> {
                        @Override
                        public Long apply(Long number) {
                            return number + 1;
                        }
                    }

                    @Override
                    public void define(Topology topology, Settings settings) {
                        topology.from(Sources.generate(10, n -> n))
                                .map(new More())
                                .as(Long.class)
                                .to(Sinks.discard());
                    }
                }
                """);
        LoadedJob job = new JobLoader(null).load(source, null);
        byte[] graph = JobDescriptor.write(job.define(Map.of()));
        HostedSettings settings = new HostedSettings(
                1, true, false, BadLimit.half(), 1, Guarantee.NONE, false, false, 0, null, Tolerance.NONE, "run");
        JobDescriptor descriptor =
                new JobDescriptor("id", "", graph, settings, Map.of(), false, "", Duration.ZERO, Duration.ZERO, 1, 0);
        assertThatThrownBy(() -> descriptor.read(RefusedClusterTest.class.getClassLoader()))
                .message()
                .matches("class Lonely\\S* is missing on the worker; pass all jars that the job needs");
    }
}
