// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.observation.ConsumerGroup;
import io.thalweg.doctor.observation.FlinkDetails;
import io.thalweg.doctor.observation.FlinkSamples;
import io.thalweg.doctor.observation.FlinkVertex;
import io.thalweg.doctor.observation.GroupLook;
import io.thalweg.doctor.observation.GroupMember;
import io.thalweg.doctor.observation.GroupPartition;
import io.thalweg.doctor.observation.KafkaFetches;
import io.thalweg.doctor.observation.KafkaSends;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.whatif.Changes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaTest {
    @SuppressWarnings("unchecked") // a schema is an object
    private static SchemaCheck schema() throws IOException {
        return new SchemaCheck((Map<String, Object>) JsonTree.of(bytes("diagnosis.schema.json")));
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = SchemaTest.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "corpus/blocking-call",
                "corpus/keys-together",
                "corpus/checkpoints",
                "corpus/max-pending",
                "corpus/restarts",
                "corpus/healthy-windows",
                "latency/slow-operator"
            })
    void shouldFitWhatIsWritten(String name) throws Exception {
        Observation observation = ObservationFile.read(bytes(name + ".json"));
        Diagnosis diagnosis = Doctor.diagnose(observation);
        Diagnosis whatIf = Doctor.diagnose(observation, Changes.parse("cores=4,fuse=off"));

        assertThat(schema().problems(JsonTree.of(utf8(RecordJson.text(whatIf)))))
                .isEmpty();
        assertThat(ObservationFile.read(utf8(RecordJson.text(whatIf)))).isEqualTo(observation);
        assertThat(schema().problems(JsonTree.of(utf8(RecordJson.text(observation)))))
                .isEmpty();
        assertThat(schema().problems(JsonTree.of(utf8(RecordJson.text(diagnosis)))))
                .isEmpty();
        assertThat(ObservationFile.read(utf8(RecordJson.text(diagnosis)))).isEqualTo(observation);
        assertThat(ObservationFile.read(utf8(RecordJson.line(observation)))).isEqualTo(observation);
    }

    @Test
    void shouldFitWhatFlinkTells() throws Exception {
        Observation without = ObservationFile.read(bytes("flink/slow-operator.json"));
        FlinkVertex known =
                new FlinkVertex("out", 0.5, 1.0, 1L, 2L, 3L, new FlinkSamples(4, 3, 2, 1, 0, 0, 1L), -5L, 0.5);
        FlinkVertex unknown = new FlinkVertex("in", null, null, null, null, null, null, null, null);

        for (FlinkDetails details : List.of(
                new FlinkDetails(true, "HashMapStateBackend", -1L, false, true, 80L, 3L, 2.5, List.of(known)),
                new FlinkDetails(null, null, null, null, null, null, null, null, List.of(unknown)))) {
            Observation observation = with(without, details);
            assertThat(schema().problems(JsonTree.of(utf8(RecordJson.text(observation)))))
                    .isEmpty();
            assertThat(ObservationFile.read(utf8(RecordJson.line(observation)))).isEqualTo(observation);
        }
        assertThat(without.flink()).as("as of files that are older").isNull();
    }

    @Test
    void shouldFitWhatKafkasClientsTell() throws Exception {
        Observation without = ObservationFile.read(bytes("corpus/blocking-call.json"));
        KafkaFetches fetches = new KafkaFetches(1, 2, 3, 4, 5, 6, 0.5, 0.25, 7, 8, 9, 10, 11);
        KafkaSends sends = new KafkaSends(1, 2, 3, 4, 5, 6, 7, 0.5, 1.5, 2.5, 3.5, 8, 9, "gzip");
        List<OperatorProfile> profiles = List.of(
                new OperatorProfile("in", 0, 0, null, 3L, 0, null, List.of(), List.of(), null, fetches, null),
                new OperatorProfile("out", 0, 0, null, null, 0, null, List.of(), List.of(), null, null, sends));

        Observation observation = with(without, profiles, null);

        assertThat(schema().problems(JsonTree.of(utf8(RecordJson.text(observation)))))
                .isEmpty();
        assertThat(ObservationFile.read(utf8(RecordJson.line(observation)))).isEqualTo(observation);
        assertThat(without.operators())
                .as("as of files that are older")
                .isNotEmpty()
                .allSatisfy(profile -> {
                    assertThat(profile.fetches()).isNull();
                    assertThat(profile.sends()).isNull();
                });
    }

    private static Observation with(Observation without, FlinkDetails details) {
        return with(without, without.operators(), details);
    }

    private static Observation with(Observation without, List<OperatorProfile> operators, FlinkDetails details) {
        return new Observation(
                without.version(),
                without.state(),
                without.plan(),
                without.spans(),
                operators,
                without.edges(),
                without.checkpoints(),
                without.acks(),
                without.latency(),
                without.restarts(),
                without.failure(),
                without.failedCheckpoints(),
                without.group(),
                without.storm(),
                details,
                without.lateness());
    }

    @Test
    void shouldFitAConsumerGroup() throws Exception {
        Observation group = Observation.of(new ConsumerGroup(
                "billing",
                "Stable",
                null,
                List.of(new GroupMember("a-1", "a", "/10.0.0.1", 1)),
                List.of(new GroupPartition("orders", 0, null, null, 7L, 0, 9, 9)),
                List.of(new GroupLook(0, "Stable", 1, 2, 0, 0)),
                0));

        assertThat(schema().problems(JsonTree.of(utf8(RecordJson.text(Doctor.diagnose(group))))))
                .isEmpty();
    }

    @Test
    void shouldNotFitWhatLacksAFieldOrHasAnother() throws Exception {
        String text = RecordJson.line(ObservationFile.read(bytes("corpus/blocking-call.json")));

        for (String broken : List.of(
                text.replaceFirst("\"busyNs\":\\d+,", ""),
                text.replaceFirst("\"busyNs\":", "\"busyMs\":"),
                text.replaceFirst("\"busyNs\":\\d+", "\"busyNs\":\"long\""),
                text.replaceFirst("\"version\":1", "\"version\":2"),
                text.replaceFirst("\"state\":\"\\w+\"", "\"state\":\"ASLEEP\""))) {
            assertThat(broken).isNotEqualTo(text);
            assertThat(schema().problems(JsonTree.of(utf8(broken)))).isNotEmpty();
        }
    }
}
