// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.kafka.KafkaCluster;
import io.thalweg.run.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs consumer groups with planted faults on a real broker, and watches each for ten seconds. {@code -Dthalweg.record=FOLDER} keeps
 * the observations there. It measures, so it needs a quiet machine: {@code -Pcorpus}.
 */
@Tag("corpus")
@Timeout(900)
final class RealGroupDoctorTest {
    private static final int LOOKS = 10;

    /** Until a group has formed and its readers are compiled. */
    private static final int BEFORE_SECONDS = 8;

    @TempDir
    private static Path data;

    private static TrialBroker broker;
    private static Admin admin;

    private final CountDownLatch never = new CountDownLatch(1);

    @BeforeAll
    static void start() throws Exception {
        broker = TrialBroker.start(data, BrokerSetup.single());
        admin = KafkaCluster.at(broker.address()).admin();
    }

    @AfterAll
    static void stop() throws Exception {
        admin.close();
        broker.kill();
    }

    static List<BlindGroup> groups() {
        return BlindGroup.all();
    }

    @ParameterizedTest
    @MethodSource("groups")
    void shouldNameThePlantedFaultFirst(BlindGroup group) throws Exception {
        admin.createTopics(List.of(new NewTopic(group.name(), Optional.of(group.partitions()), Optional.empty())))
                .all()
                .get();
        Observation observed;
        BlindGroup.Running running = group.new Running(broker.address());
        try {
            assertThat(never.await(BEFORE_SECONDS, TimeUnit.SECONDS)).isFalse();
            GroupObserver observer = new GroupObserver(admin, broker.address(), group.name(), Clock.system());
            observer.look();
            for (int i = 0; i < LOOKS; i++) {
                assertThat(never.await(1, TimeUnit.SECONDS)).isFalse();
                observer.look();
            }
            observed = Observation.of(observer.group());
        } finally {
            running.end();
        }
        String to = System.getProperty("thalweg.record");
        if (to != null) {
            Files.writeString(Path.of(to, group.name() + ".json"), RecordJson.line(observed) + "\n");
        }

        Diagnosis diagnosis = Doctor.diagnose(observed);

        String text = DiagnosisText.of(diagnosis);
        System.out.println(text);
        List<String> found = diagnosis.findings().stream().map(Finding::rule).toList();
        if (group.faults().isEmpty()) {
            assertThat(found).as(text).isEmpty();
        } else {
            assertThat(found).as(text).isNotEmpty();
            assertThat(group.faults()).as(text).contains(found.get(0));
        }
    }
}
