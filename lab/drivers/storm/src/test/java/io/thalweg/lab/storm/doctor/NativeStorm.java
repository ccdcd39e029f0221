// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.storm.doctor.NimbusConnection;
import io.thalweg.cli.storm.doctor.TopologyObserver;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.run.Clock;
import io.thalweg.storm.StormCluster;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/** A cluster on this machine, of which the doctor knows nothing but the address of its Nimbus. */
final class NativeStorm implements AutoCloseable {
    private static final int SLOTS = 2;
    private static final int TRIES = 120;

    private final Path folder;
    private final String address;
    private final Path jar;
    private final CountDownLatch never = new CountDownLatch(1);

    private NativeStorm(Path folder, String address, Path jar) {
        this.folder = folder;
        this.address = address;
        this.jar = jar;
    }

    static NativeStorm start(Path folder) throws Exception {
        return new NativeStorm(folder, StormCluster.start(folder.resolve("cluster"), SLOTS), jar(folder));
    }

    /** With the classes of this package. */
    private static Path jar(Path folder) throws Exception {
        Path classes = Path.of(NativeStorm.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path jar = folder.resolve("topologies.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(
                        classes.resolve(NativeStorm.class.getPackageName().replace('.', '/')))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                try (InputStream in = Files.newInputStream(file)) {
                    in.transferTo(out);
                }
            }
        }
        return jar;
    }

    private String host() {
        return address.substring(0, address.lastIndexOf(':'));
    }

    private int port() {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private Map<String, Object> conf() {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.NIMBUS_SEEDS, List.of(host()));
        conf.put(Config.NIMBUS_THRIFT_PORT, port());
        return conf;
    }

    void submit(NativeTopology topology) throws Exception {
        Map<String, Object> settings = new HashMap<>(topology.settings());
        settings.putIfAbsent(Config.TOPOLOGY_WORKERS, 1);
        Map<String, Object> conf = conf();
        conf.putAll(settings);
        try (NimbusClient client = NimbusClient.Builder.withConf(conf()).buildWithNimbusHostPort(host(), port())) {
            String location = StormSubmitter.submitJarAs(conf, jar.toString(), null, client);
            client.getClient()
                    .submitTopology(topology.name(), location, JSONValue.toJSONString(settings), topology.topology());
        }
    }

    /** Has the main class of a jar submit its topology, as {@code storm jar} does. */
    void submit(Path of, String main, String... arguments) throws Exception {
        Path said = folder.resolve("submit.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                of + File.pathSeparator + System.getProperty("java.class.path"),
                "-Dstorm.jar=" + of,
                "-Dstorm.options=" + Config.NIMBUS_SEEDS + "=%5B%22" + host() + "%22%5D," + Config.NIMBUS_THRIFT_PORT
                        + "=" + port(),
                main));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(TRIES, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    }

    /** Watches it as the command line does, once it runs. */
    Observation watch(NativeTopology topology) throws Exception {
        return watch(topology.name(), !topology.faults().contains("not-running"), topology.seconds());
    }

    /** @param starts all of its executors run some time */
    Observation watch(String topology, boolean starts, int seconds) throws Exception {
        try (NimbusConnection nimbus = new NimbusConnection(host(), port(), conf())) {
            for (int i = 0; starts && i < TRIES && !runs(nimbus, topology); i++) {
                assertThat(never.await(500, TimeUnit.MILLISECONDS)).isFalse();
            }
            assertThat(never.await(5, TimeUnit.SECONDS)).isFalse(); // queues fill, and what is executed is compiled
            TopologyObserver observer =
                    nimbus.call(client -> new TopologyObserver(client, address, topology, Clock.system()));
            for (int i = 0; i < seconds; i++) {
                assertThat(never.await(1, TimeUnit.SECONDS)).isFalse();
                assertThat(nimbus.call(observer::look)).isTrue();
            }
            return nimbus.call(observer::observation);
        }
    }

    private static boolean runs(NimbusConnection nimbus, String topology) throws InterruptedException {
        return nimbus.call(client -> {
            var executors = client.getTopologyInfoByName(topology).get_executors();
            return !executors.isEmpty() && executors.stream().allMatch(each -> each.get_uptime_secs() > 0);
        });
    }

    void kill(String topology) throws Exception {
        try (NimbusClient client = NimbusClient.Builder.withConf(conf()).buildWithNimbusHostPort(host(), port())) {
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            client.getClient().killTopologyWithOpts(topology, now);
            for (int i = 0; i < TRIES && used(client.getClient().getClusterInfo()) > 0; i++) {
                assertThat(never.await(500, TimeUnit.MILLISECONDS)).isFalse();
            }
        }
    }

    private static int used(ClusterSummary cluster) {
        return cluster.get_supervisors().stream()
                .mapToInt(SupervisorSummary::get_num_used_workers)
                .sum();
    }

    @Override
    public void close() throws IOException {
        try {
            StormCluster.stop(folder.resolve("cluster"));
        } catch (InterruptedException e) {
            throw new IOException("the cluster was not stopped", e);
        }
    }
}
