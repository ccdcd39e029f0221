// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.FreePort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs that start before their broker does, or without one. */
@Timeout(900)
@Tag("integration")
final class LateBrokerTest {
    /** A broker that has just been started may need minutes for its first answers where many others compute. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final RunSettings settings = RunSettings.defaults().withWarnings(told::add);

    private static Topology reading(String servers) {
        Topology topology = Topology.named("reads");
        topology.from(Kafka.read(servers, "orders", Decoder.text())
                        .untilLatest()
                        .connectTimeout(PATIENCE))
                .to(Kafka.write(servers, "copies", Encoder.text()).connectTimeout(PATIENCE));
        return topology;
    }

    private static Topology writing(String servers) {
        Topology topology = Topology.named("writes");
        topology.from(Sources.of("17")).to(Kafka.write(servers, "copies", Encoder.text()));
        return topology;
    }

    private static void run(Topology topology, RunSettings settings) throws Exception {
        new EmbeddedRunner(settings).start(topology.graph()).await();
    }

    private static String failure(Topology topology, RunSettings settings) {
        JobFailedException failed = catchThrowableOfType(JobFailedException.class, () -> run(topology, settings));
        assertThat(failed).isNotNull();
        assertThat(failed.getMessage()).hasLineCount(1);
        return failed.getMessage();
    }

    @Test
    void shouldSayThatNobodyListens_afterTryingAgain() {
        String address = "127.0.0.1:" + FreePort.find();

        assertThat(failure(reading(address), settings.withConnectTimeout(Duration.ofMillis(1_200))))
                .startsWith("cannot read topic orders at " + address
                        + ": connection refused, for 1 s; start a broker there");
        assertThat(told).hasSizeLessThanOrEqualTo(1);
        told.clear();
        assertThat(failure(writing(address), settings.withConnectTimeout(Duration.ZERO)))
                .startsWith("cannot write topic copies at " + address + ": connection refused; start a broker there");
        assertThat(told).as("it does not wait").isEmpty();
    }

    @Test
    void shouldSayThatAHostIsUnknown_andWhichOfSeveralServersIsWhat() {
        String address = "127.0.0.1:" + FreePort.find();

        assertThat(failure(reading("no-broker.invalid:9092"), settings.withConnectTimeout(Duration.ZERO)))
                .contains(" at no-broker.invalid:9092: unknown host; ");
        assertThat(failure(reading("no-broker.invalid:9092," + address), settings.withConnectTimeout(Duration.ZERO)))
                .contains(": unknown host (no-broker.invalid:9092), connection refused (" + address + "); ");
    }

    /** It does not mend while nobody answers. */
    @Test
    void shouldSayAtOnceThatASettingIsNotValid() {
        String address = "127.0.0.1:" + FreePort.find();
        Topology reading = Topology.named("reads");
        reading.from(Kafka.read(address, "orders", Decoder.text()).set("security.protocol", "NONE"))
                .to(Sinks.discard());

        assertThat(failure(reading, settings.withConnectTimeout(Duration.ofHours(1))))
                .startsWith("cannot read topic orders at " + address + ": the client's settings are not valid: ")
                .contains("security.protocol");
        assertThat(told).isEmpty();
    }

    @Test
    void shouldSayThatABrokerAcceptsConnections_andNeverAnswers() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();

            assertThat(failure(reading(address), settings.withConnectTimeout(Duration.ofMillis(500))))
                    .contains(" at " + address
                            + ": it accepts connections, but does not answer as a Kafka broker, for 500 ms; ");
        }
    }

    @Test
    void shouldGoOnWhenTheBrokerStartsLate() throws Exception {
        try (TestBroker broker = TestBroker.start()) {
            broker.topic("orders", 1);
            broker.topic("copies", 1);
            broker.send("orders", 0, "1", "2", "3");
            broker.process().stop();
            Thread starts = new Thread(() -> startOnceItIsWaitedFor(broker));
            starts.start();

            run(reading(broker.address()), settings.withConnectTimeout(PATIENCE));

            starts.join();
            assertThat(broker.values("copies")).containsExactly("1", "2", "3");
            assertThat(List.copyOf(told))
                    .filteredOn(line -> !TestBroker.isOfABusyMachine(line))
                    .last()
                    .asString()
                    .startsWith("Kafka at " + broker.address() + " answers, ")
                    .endsWith(" after the start of the job");
        }
    }

    private void startOnceItIsWaitedFor(TestBroker broker) {
        try {
            assertThat(told.poll(5, TimeUnit.MINUTES))
                    .startsWith("waiting for Kafka at " + broker.address() + ": connection refused; ");
            broker.process().restart();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldEndWhenItIsInterrupted() throws Exception {
        String address = "127.0.0.1:" + FreePort.find();
        BlockingQueue<String> ended = new LinkedBlockingQueue<>();
        Thread job = new Thread(
                () -> ended.add(failure(reading(address), settings.withConnectTimeout(Duration.ofHours(1)))));
        job.start();
        assertThat(told.poll(5, TimeUnit.MINUTES)).startsWith("waiting for Kafka at " + address);

        job.interrupt();

        assertThat(ended.poll(5, TimeUnit.MINUTES))
                .isEqualTo("topology 'reads', operator 'source': interrupted while it waited for a system to answer");
    }

    /** A request that may take longer than the whole call is refused by the client. */
    @Test
    void shouldTakeARequestTimeoutThatIsLongerThanTheConnectTimeout_andForEver() throws Exception {
        TestBroker broker = TestBroker.shared();
        String topic = broker.topic(1);
        Topology longer = Topology.named("longer");
        longer.from(Sources.of("1"))
                .to(Kafka.write(broker.address(), topic, Encoder.text()).set("request.timeout.ms", "60000"));
        run(longer, settings);
        Topology shorter = Topology.named("shorter");
        shorter.from(Sources.of("2"))
                .to(Kafka.write(broker.address(), topic, Encoder.text()).set("default.api.timeout.ms", "20000"));
        run(shorter, settings);
        Topology forEver = Topology.named("for ever");
        forEver.from(Sources.of("3"))
                .to(Kafka.write(broker.address(), topic, Encoder.text())
                        .connectTimeout(Duration.ofSeconds(Long.MAX_VALUE)));
        run(forEver, settings);

        assertThat(broker.values(topic)).containsExactly("1", "2", "3");
    }
}
