// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.JobState;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.Span;
import io.thalweg.testkit.MavenJar;
import java.nio.file.Path;
import org.apache.flink.client.program.PackagedProgram;
import org.apache.flink.client.program.PackagedProgramUtils;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job of Flink's own examples, from its jar; {@code -Preal}. */
@Tag("long")
@Timeout(600)
final class FlinkExampleDoctorTest {
    private static final int LOOKS = 8;
    private static final String EXAMPLES = "org.apache.flink:flink-examples-streaming:";

    @TempDir
    private Path folder;

    /** Events come at its own pace, a thousand a second, which one core bears easily. */
    @Test
    void shouldTellWhatLimitsTheStateMachine() throws Exception {
        try (NativeFlink flink = NativeFlink.start();
                PackagedProgram program = PackagedProgram.newBuilder()
                        .setJarFile(MavenJar.copy(EXAMPLES + EnvironmentInformation.getVersion(), folder)
                                .toFile())
                        .setEntryPointClassName("org.apache.flink.streaming.examples.statemachine.StateMachineExample")
                        .build()) {
            var id = flink.submit(PackagedProgramUtils.createJobGraph(program, new Configuration(), 1, true));
            Observation observed = Watched.of(flink, "State machine job", LOOKS);
            flink.cancel(id);

            assertThat(observed.state()).isEqualTo(JobState.RUNNING);
            assertThat(observed.plan().operators())
                    .extracting(operator -> operator.name() + ": " + operator.kind())
                    .containsExactly(
                            "Source: Events Generator Source: source", "Flat Map -> Sink: Print to Std. Out: operator");
            assertThat(observed.spans().stream().mapToLong(Span::recordsIn).sum())
                    .isPositive();
            Diagnosis diagnosis = Doctor.diagnose(observed);
            assertThat(diagnosis.bound().kind()).isEqualTo("source");
            assertThat(DiagnosisText.of(diagnosis))
                    .startsWith("Doctor: State machine job\n  bound by the source: tasks wait for records");
            assertThat(diagnosis.findings())
                    .as("a busy machine may make checkpoints and collections slow, and nothing else")
                    .extracting(Finding::rule)
                    .isSubsetOf("checkpoints", "garbage");
        }
    }
}
