// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.embedded.JobObserver;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.kafka.KafkaCluster;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs jobs on a real broker with planted faults, each for six seconds. {@code -Dthalweg.record=FOLDER} keeps the observations there,
 * {@code -Dthalweg.corpus=NAME,NAME} runs some of them. It measures, so it needs a quiet machine: {@code -Pcorpus}, which no other step
 * includes.
 */
@Tag("corpus")
final class RealKafkaDoctorTest {
    private static final int MESSAGES = 4_000_000;
    private static final int PARTITIONS = 2;
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int LOOKS = 12;

    /** Of all clients. */
    private static final String QUOTA = "producer_byte_rate";

    @TempDir
    private static Path data;

    private static TrialBroker broker;
    private static long pid;
    private static Admin admin;

    @BeforeAll
    static void start() throws Exception {
        broker = TrialBroker.start(data, BrokerSetup.single(), process -> pid = process.pid());
        admin = KafkaCluster.at(broker.address()).admin();
        create("full");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address()), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < MESSAGES; i++) {
                byte[] value = PlantedKafka.order(i).getBytes(StandardCharsets.UTF_8);
                var unused = producer.send(new ProducerRecord<>("full", i % PARTITIONS, null, value));
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        admin.close();
        broker.kill();
    }

    private static void create(String topic) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty())))
                .all()
                .get();
    }

    private static void limit(Double bytes) throws Exception {
        ClientQuotaEntity everybody = new ClientQuotaEntity(Collections.singletonMap("client-id", null));
        admin.alterClientQuotas(List.of(
                        new ClientQuotaAlteration(everybody, List.of(new ClientQuotaAlteration.Op(QUOTA, bytes)))))
                .all()
                .get();
    }

    /** Lets the broker stand still for most of the time. */
    private static Process pausing() throws IOException {
        return new ProcessBuilder(
                        "sh",
                        "-c",
                        "while true; do kill -STOP $1; sleep 0.4; kill -CONT $1; sleep 0.02; done",
                        "sh",
                        String.valueOf(pid))
                .start();
    }

    static List<PlantedKafka> jobs() {
        List<String> only = List.of(System.getProperty("thalweg.corpus", "").split(","));
        return PlantedKafka.all().stream()
                .filter(job -> only.equals(List.of("")) || only.contains(job.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void shouldNameThePlantedFaultFirst(PlantedKafka planted) throws Exception {
        create(planted.name());
        if (planted.quota() > 0) {
            limit((double) planted.quota());
        }

        Observation observed = observed(planted);

        limit(null);
        admin.deleteTopics(List.of(planted.name())).all().get();
        String to = System.getProperty("thalweg.record");
        if (to != null) {
            Files.writeString(Path.of(to, planted.name() + ".json"), RecordJson.line(observed) + "\n");
        }
        Diagnosis diagnosis = Doctor.diagnose(observed);
        String text = DiagnosisText.of(diagnosis);
        System.out.println(text);
        List<String> found = diagnosis.findings().stream().map(Finding::rule).toList();
        if (planted.fault().isEmpty()) {
            assertThat(found).as(text).isEmpty();
        } else {
            assertThat(found).as(text).isNotEmpty().first().isEqualTo(planted.fault());
        }
    }

    private static Observation observed(PlantedKafka planted) throws Exception {
        var topics = new PlantedKafka.Topics(broker.address(), "full", planted.name());
        try (Profiler profiler = new Profiler()) {
            profiler.start();
            RunSettings settings = RunSettings.defaults()
                    .withParallelism(PARTITIONS)
                    .withThreads(2)
                    .withStages(profiler::made);
            RunningJob job = new EmbeddedRunner(settings).start(planted.graph().apply(topics));
            JobObserver observer = new JobObserver();
            Process pausing = planted.pauses() && !job.await(LOOK) ? pausing() : null;
            for (int i = 0; i < LOOKS && !job.await(LOOK); i++) {
                observer.look(job.stats(), job.restarts(), job.lastFailure(), job.lastCheckpoint());
            }
            if (pausing != null) {
                pausing.destroy();
                pausing.waitFor();
                new ProcessBuilder("kill", "-CONT", String.valueOf(pid)).start().waitFor();
            }
            Observation observation = observer.observation(job.stats().state(), profiler.profiles(), null);
            job.cancel();
            job.await();
            return observation;
        }
    }
}
