// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.flink.report.StageFailure;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.flink.runtime.JobException;
import org.apache.flink.runtime.rest.util.RestClientException;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;

final class FailureTextTest {
    private static String told(Throwable cause) {
        Throwable wrapped = new SerializedThrowable(new JobException("Recovery is suppressed", cause));
        return FailureText.of("quakes", new IllegalStateException("job failed", wrapped))
                .getMessage();
    }

    @Test
    void shouldTellWhatTheTaskToldAndNothingOfFlink() {
        assertThat(told(new StageFailure("topology 'quakes', operator 'map', task 1: it broke", null)))
                .isEqualTo("topology 'quakes', operator 'map', task 1: it broke");
    }

    @Test
    void shouldNameAClassThatTheClusterDoesNotHave() {
        assertThat(told(new RuntimeException("cannot", new ClassNotFoundException("com.acme.Parser"))))
                .isEqualTo(
                        "topology 'quakes': the cluster has no class com.acme.Parser; it must be in the job's jar, or"
                                + " in the cluster's lib folder");
        assertThat(StageFailure.words(new NoClassDefFoundError("com/acme/Parser")))
                .isEqualTo("java.lang.NoClassDefFoundError: com/acme/Parser; this class must be in the job's jar, or in"
                        + " the cluster's lib folder");
    }

    @Test
    void shouldSayWhatToDoWhereTheClassOfALambdaIsMissing() {
        assertThat(told(new RuntimeException(
                        "cannot",
                        new ClassCastException("cannot assign instance of java.lang.invoke.SerializedLambda to field"
                                + " com.acme.Job.function of type io.thalweg.api.operator.MapFunction in instance of"
                                + " com.acme.Job"))))
                .isEqualTo(
                        "topology 'quakes': a lambda of the job is of a class that the cluster does not have; all classes of the"
                                + " job must be in its jar, or in the cluster's lib folder");
    }

    @Test
    void shouldSayWhatToDoWhereSlotsAreMissing() {
        assertThat(told(new RuntimeException(
                        "org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException: no slots")))
                .contains("too few free slots")
                .contains("lower --parallelism");
    }

    @Test
    void shouldTellTheInnermostCauseInOneLine() {
        assertThat(told(new RuntimeException("outer", new IllegalStateException("first line\n\tat second"))))
                .isEqualTo("topology 'quakes': java.lang.IllegalStateException: first line");
    }

    /** As where its JobManager was restarted: Flink's answer is a stack trace. */
    @Test
    void shouldSayWhatToDoWhereFlinkHasForgottenTheJob() {
        String told =
                "topology 'quakes': Flink does not know the job any more: its JobManager was restarted, and the job"
                        + " has ended with it, or the job has ended so long ago that Flink has forgotten how. Look at what it has"
                        + " written; one that takes checkpoints continues from its last one with --restore latest";
        RestClientException unknown = new RestClientException(
                "[Internal server error., <Exception on server side:\n"
                        + "org.apache.flink.runtime.messages.FlinkJobNotFoundException: Could not find Flink job (1)\n\tat x",
                HttpResponseStatus.INTERNAL_SERVER_ERROR);
        RestClientException notFound =
                new RestClientException("[Could not find Flink job (1)]", HttpResponseStatus.NOT_FOUND);
        for (RestClientException answer : List.of(unknown, notFound)) {
            assertThat(FailureText.of("quakes", new ExecutionException(answer))).hasMessage(told);
            assertThat(FailureText.words(answer)).isEqualTo("Flink does not know the job any more");
        }
    }

    @Test
    void shouldAdmitWhereNobodySaysWhy() {
        assertThat(FailureText.of("quakes", null)).hasMessageContaining("does not say why");
    }
}
