// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.broker.TrialKeys;
import io.thalweg.broker.TrialTopics;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Source and sink with a broker that requires TLS and a login with SCRAM, and lets users do only what they may. */
@Timeout(900)
@Tag("integration")
final class SecuredBrokerTest {
    private static final String SECRET = "alice's-secret-4711";
    private static final String OTHER = "bob's-secret-4712";

    @TempDir
    private static Path folder;

    private static TrialKeys keys;
    private static TrialBroker broker;
    private static TrialTopics topics;

    @BeforeAll
    static void start() throws Exception {
        keys = TrialKeys.make(folder.resolve("keys.p12"));
        broker = TrialBroker.start(
                folder.resolve("broker"),
                BrokerSetup.single()
                        .secured(keys)
                        .withUser("alice", SECRET)
                        .withUser("bob", OTHER)
                        .with("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                        .with("super.users", "User:ANONYMOUS;User:alice"));
        topics = TrialTopics.at(broker.address(), keys.client("alice", SECRET));
        topics.create("in", 1);
        topics.create("out", 1);
        topics.send("in", 0, "1", "2", "3");
    }

    @AfterAll
    static void stop() throws Exception {
        topics.close();
        broker.kill();
    }

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static KafkaSource<String> source(Map<String, String> settings) {
        return Kafka.read(broker.address(), "in", Decoder.text())
                .untilLatest()
                .connectTimeout(PATIENCE)
                .set(settings);
    }

    private static KafkaSink<String> sink(Map<String, String> settings) {
        return Kafka.write(broker.address(), "out", Encoder.text())
                .connectTimeout(PATIENCE)
                .set(settings);
    }

    /** What the user was told. */
    private static final List<String> WARNINGS = new CopyOnWriteArrayList<>();

    private static void run(Topology topology) throws Exception {
        new EmbeddedRunner(RunSettings.defaults().withWarnings(WARNINGS::add))
                .start(topology.graph())
                .await();
    }

    /** How a job ends that reads with these settings; and one that writes with them must end so, too. */
    private static String failure(Map<String, String> settings) {
        Topology reading = Topology.named("reading");
        reading.from(source(settings)).to(CollectSink.of(String.class));
        Topology writing = Topology.named("writing");
        writing.from(Sources.of("x")).to(sink(settings));
        String message = message(reading);
        String written = message(writing);
        for (String text : new String[] {message, written}) {
            assertThat(text)
                    .hasLineCount(1)
                    .doesNotContain(SECRET)
                    .doesNotContain(OTHER)
                    .doesNotContain(keys.password())
                    .doesNotContain("ScramLoginModule");
        }
        String why = message.substring(message.indexOf(broker.address()));
        assertThat(written).as("the sink says the same").contains(why);
        assertThat(WARNINGS)
                .as("nobody waits for what will not mend, but on a busy machine for an answer")
                .noneMatch(line -> line.contains("waiting for") && !line.contains("does not answer as a Kafka broker"));
        return why;
    }

    private static String message(Topology topology) {
        JobFailedException failed = catchThrowableOfType(JobFailedException.class, () -> run(topology));
        assertThat(failed).isNotNull();
        return failed.getMessage();
    }

    @Test
    void shouldReadAndWrite() throws Exception {
        Map<String, String> settings = keys.client("alice", SECRET);
        Topology topology = Topology.named("copy");
        topology.from(source(settings)).map(text -> text + "!").to(sink(settings));
        run(topology);

        assertThat(topics.values("out")).contains("1!", "2!", "3!");
        assertThat(source(settings).name() + sink(settings).name())
                .doesNotContain(SECRET)
                .doesNotContain(keys.password());
    }

    /** Fencing, numbers of outputs and reading back have clients of their own. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWriteExactlyOnce_alsoWhatItReadsBack(boolean fromTopic) throws Exception {
        Map<String, String> settings = keys.client("alice", SECRET);
        String name = "exactly-" + fromTopic;
        topics.create(name, 1);
        KafkaSink<String> plain = Kafka.write(broker.address(), name, Encoder.text())
                .transactionalIdPrefix(name)
                .connectTimeout(PATIENCE)
                .set(settings);
        KafkaSink<String> sink = fromTopic ? plain.replayFromTopic() : plain;
        Topology topology = Topology.named(name);
        topology.from(source(settings)).to(sink);
        new EmbeddedRunner(RunSettings.defaults()
                        .withGuarantee(
                                Guarantee.EXACTLY_ONCE,
                                CheckpointSettings.in(folder.resolve(name)).every(Duration.ofMillis(50))))
                .start(topology.graph())
                .await();
        assertThat(topics.values(name)).containsExactly("1", "2", "3");

        KafkaSink<String> other = sink.transactionalIdPrefix(name + "-killed");
        CheckpointedWriter<String> killed = (CheckpointedWriter<String>) other.open(context(0, "first"));
        killed.write("promised");
        byte[] saved = killed.save(1);
        killed.write("of no checkpoint");
        killed.close();
        CheckpointedWriter<String> restored = (CheckpointedWriter<String>) other.open(context(1, "second"));
        restored.restore(List.of(saved));
        assertThat(topics.values(name)).containsExactly("1", "2", "3", "promised");
        restored.close();
    }

    private static SinkContext context(long checkpoint, String run) {
        return new SinkContext("job", "sink", 0, 1, System.out, null, Guarantee.EXACTLY_ONCE, checkpoint, run);
    }

    @Test
    void shouldReadSecretsWhereTheTaskRuns() throws Exception {
        Map<String, String> settings = new HashMap<>(keys.client("alice", SECRET));
        Path login =
                Files.writeString(folder.resolve("login"), Objects.requireNonNull(settings.remove("sasl.jaas.config")));
        Secret secret = Secret.file(login.toString());
        KafkaSource<String> source = source(settings).set("sasl.jaas.config", secret);
        KafkaSink<String> sink = sink(settings).set("sasl.jaas.config", secret);
        Topology topology = Topology.named("secrets");
        topology.from(source).map(text -> text + "?").to(sink);
        run(topology);
        assertThat(topics.values("out")).contains("1?", "2?", "3?");

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(source);
            out.writeObject(sink);
        }
        assertThat(bytes.toString(StandardCharsets.ISO_8859_1))
                .contains("sasl.jaas.config")
                .doesNotContain(SECRET);

        Files.delete(login);
        assertThat(sink.describe()).contains("acks=");
        assertThat(message(topology)).contains("a secret is to come from " + login + ", but it cannot be read");
    }

    @Test
    void shouldSayThatThePasswordIsWrong() {
        assertThat(failure(keys.client("alice", OTHER)))
                .contains("the broker refuses the login: ")
                .contains("invalid credentials");
    }

    @Test
    void shouldSayThatItDoesNotTrustTheCertificate() throws Exception {
        Map<String, String> settings = new HashMap<>(keys.client("alice", SECRET));
        TrialKeys others = TrialKeys.make(folder.resolve("others.p12"));
        settings.put("ssl.truststore.location", others.store().toString());
        settings.put("ssl.truststore.password", others.password());

        assertThat(failure(settings))
                .contains("TLS with the broker fails: ")
                .contains("does ssl.truststore.location have its certificate");
    }

    @Test
    void shouldSayThatTheBrokerWantsTls() {
        assertThat(failure(Map.of())).contains("the broker accepts only TLS; set security.protocol to SSL");
    }

    @Test
    void shouldSayThatAUserMayNot() {
        assertThat(failure(keys.client("bob", OTHER))).contains("not authorised: ");
    }

    @Test
    void shouldNotGiveAwayTheWrongTrustStorePassword() {
        Map<String, String> settings = new HashMap<>(keys.client("alice", SECRET));
        settings.put("ssl.truststore.password", OTHER);

        assertThat(failure(settings)).contains("password was incorrect");
    }
}
