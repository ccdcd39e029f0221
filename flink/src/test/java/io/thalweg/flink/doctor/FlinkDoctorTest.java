// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.stats.JobState;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.flink.FlinkJob;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.TaskSpan;
import java.io.IOException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches jobs that Thalweg never saw, on a cluster that it has not started. */
@Timeout(900)
@Tag("integration")
final class FlinkDoctorTest {
    private static NativeFlink flink;

    @BeforeAll
    static void start() throws Exception {
        flink = NativeFlink.start();
    }

    @AfterAll
    static void stop() {
        flink.close();
    }

    private static long records(Observation observed) {
        return observed.spans().stream().mapToLong(span -> span.recordsIn()).sum();
    }

    @Test
    void shouldFindWhatLimitsARunningJob() throws Exception {
        var id = flink.submit(NativeJob.named("slow-operator").graph());
        Observation observed = Watched.of(flink, "slow-operator", 3);
        // Flink's figures are some seconds old: the first spans can be of the time before the operator was busy. Its
        // process is this JVM, where tests beside this one make garbage, which is found, too.
        while (records(observed) == 0
                || Doctor.diagnose(observed).findings().stream()
                        .noneMatch(each -> each.rule().equals("parallelism"))) {
            observed = Watched.of(flink, "slow-operator", 3);
        }
        flink.cancel(id);

        assertThat(observed.state()).isEqualTo(JobState.RUNNING);
        assertThat(observed.plan().topology()).isEqualTo("slow-operator");
        assertThat(observed.plan().runner()).startsWith("Flink 2.");
        assertThat(observed.plan().operators())
                .extracting(operator -> operator.name() + ": " + operator.kind())
                .containsExactly("Source: numbers: source", "score -> out: Writer: operator");
        assertThat(observed.spans())
                .isNotEmpty()
                .allSatisfy(span -> assertThat(span.tasks())
                        .extracting(TaskSpan::task)
                        .containsExactly("Source: numbers[0]", "score -> out: Writer[0]"));
        Diagnosis diagnosis = Doctor.diagnose(observed);
        assertThat(diagnosis.findings()).anySatisfy(found -> {
            assertThat(found.rule()).isEqualTo("parallelism");
            assertThat(found.operator()).isEqualTo("score -> out: Writer");
            assertThat(found.remedy()).startsWith("give 'score -> out: Writer' .setParallelism(");
        });
    }

    @Test
    void shouldSayWhichJobsThereAre() throws Exception {
        StreamExecutionEnvironment ending = StreamExecutionEnvironment.getExecutionEnvironment();
        ending.fromSequence(1, 10).sinkTo(new DiscardingSink<>());
        var graph = ending.getStreamGraph();
        graph.setJobName("over soon");
        var over = flink.submit(graph.getJobGraph());
        flink.awaitEnd(over);
        refuses(null, "no job runs at " + flink.address() + "; the last one, 'over soon', has ended: it is finished");
        refuses("over soon", "job 'over soon', has ended: it is finished");

        var one = flink.submit(NativeJob.named("healthy-paced").graph());
        assertThat(FlinkJob.find(flink.rest(), null).id()).isEqualTo(one.toString());
        var two = flink.submit(NativeJob.named("healthy-paced").graph());
        refuses(null, "there are 2 running jobs at " + flink.address() + "; say which as flink=");
        refuses("healthy-paced", "there are 2 running jobs 'healthy-paced' at ");
        refuses("healthy", "there is no job 'healthy' at " + flink.address() + "; there are " + two);
        assertThat(FlinkJob.find(flink.rest(), two.toString()).name()).isEqualTo("healthy-paced");
        flink.cancel(one);
        flink.cancel(two);
    }

    private static void refuses(String job, String message) {
        assertThatThrownBy(() -> FlinkJob.find(flink.rest(), job))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }
}
