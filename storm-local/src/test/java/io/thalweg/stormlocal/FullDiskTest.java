// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.run.JobFailedException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.BaseFilter;
import org.apache.storm.trident.testing.FixedBatchSpout;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A test of a user's whose topology keeps something on a disk that fills. */
@EnabledOnOs(OS.LINUX)
@Timeout(900)
@Tag("integration")
final class FullDiskTest {
    /** The disk is a small file system that only the processes of this script see. */
    private static final String SCRIPT = "mount -t tmpfs -o size=1m tmpfs \"$1\" && shift && exec \"$@\"";

    @TempDir
    private Path folder;

    private ProcessBuilder mounted(List<String> command) {
        List<String> all = new ArrayList<>(List.of("unshare", "--mount", "--map-root-user", "sh", "-c", SCRIPT, "sh"));
        all.add(folder.toString());
        all.addAll(command);
        return new ProcessBuilder(all).redirectErrorStream(true);
    }

    @Test
    void shouldFailTheTest_ifTheTransactionsOfTridentCannotBeKept(@TempDir Path outside) throws Exception {
        Process probe = mounted(List.of("true")).start();
        assumeTrue(probe.waitFor(4, TimeUnit.MINUTES) && probe.exitValue() == 0, "nothing can be mounted here");
        Path output = outside.resolve("output");
        Process test = mounted(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        UsersTest.class.getName()))
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(test.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            test.destroyForcibly();
        }
        assertThat(Files.readString(output))
                .contains(UsersTest.OVER + "the transactions of Trident cannot be kept in " + folder)
                .contains("No space left on device\n");
    }

    /** Its coordinator would ask for its transactions for half an hour. */
    static final class UsersTest {
        static final String OVER = "the test is over: ";

        private static final Map<String, Object> PATIENT = Map.of(
                Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 3_600,
                Config.STORM_ZOOKEEPER_RETRY_TIMES, 29,
                Config.STORM_ZOOKEEPER_RETRY_INTERVAL, 60_000,
                Config.STORM_ZOOKEEPER_RETRY_INTERVAL_CEILING, 60_000);

        private static final AtomicLong SEEN = new AtomicLong();

        private static final class Count extends BaseFilter {
            private static final long serialVersionUID = 1L;

            @Override
            public boolean isKeep(TridentTuple tuple) {
                SEEN.incrementAndGet();
                return true;
            }
        }

        private UsersTest() {}

        @SuppressWarnings("unchecked") // as Storm has it
        public static void main(String[] arguments) throws Exception {
            try (LocalCluster cluster = new LocalCluster()) {
                FixedBatchSpout spout = new FixedBatchSpout(new Fields("word"), 3, new Values("to"), new Values("be"));
                spout.setCycle(true);
                TridentTopology topology = new TridentTopology();
                topology.newStream("words", spout).each(new Fields("word"), new Count());
                cluster.submitTopology("words", PATIENT, topology.build());
                while (SEEN.get() == 0) {
                    LockSupport.parkNanos(10_000_000);
                }
                fill(Path.of(System.getProperty("java.io.tmpdir"), "filler"));
                while (!cluster.getTopologySummaries().isEmpty()) {
                    LockSupport.parkNanos(10_000_000);
                }
            } catch (JobFailedException e) {
                System.out.println(OVER + e.getMessage());
                System.exit(1);
            }
            System.out.println(OVER + "nothing has failed");
            System.exit(0);
        }

        private static void fill(Path filler) {
            try (OutputStream out = Files.newOutputStream(filler)) {
                while (true) {
                    out.write(new byte[512]);
                }
            } catch (IOException e) {
                // it is full
            }
        }
    }
}
