// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobJarsTest {
    private static List<Path> jars(String... names) {
        return List.of(names).stream().map(Path::of).toList();
    }

    /** Kafka's client does not run without. */
    @Test
    void shouldLeaveItsLoggerToADriver_andGiveOneToADriverWithout() {
        JobJars jars = new JobJars(jars("k/slf4j-api-1.7.36.jar"), jars("cli/slf4j-nop-2.0.17.jar"));
        assertThat(jars.around("driver/*", jars("d/slf4j-api-2.0.17.jar"))).isEqualTo("driver/*");
        assertThat(jars.around("driver/*", jars("d/thalweg-engine-1.jar")))
                .contains("slf4j-api-1.7.36.jar")
                .contains("slf4j-nop-2.0.17.jar");
    }

    /** Drivers of Flink and Storm have clients of their own. */
    @Test
    void shouldPutAConnectorsLibrariesBeforeOtherVersionsOfTheDriver() {
        JobJars jars = new JobJars(
                jars(
                        "k/thalweg-kafka-1.jar",
                        "k/thalweg-api-1.jar",
                        "k/kafka-clients-4.3.1.jar",
                        "k/zstd-jni-1.5.7.jar"),
                jars("cli/jackson-core-2.20.jar"));
        assertThat(jars.around(
                                "driver/*",
                                jars("d/kafka-clients-4.2.0.jar", "d/thalweg-api-1.jar", "d/jackson-core-2.1.jar"))
                        .replace('\\', '/')
                        .split("[:;]"))
                .containsExactly(
                        "k/kafka-clients-4.3.1.jar",
                        "driver/*",
                        "k/thalweg-kafka-1.jar",
                        "k/thalweg-api-1.jar",
                        "k/zstd-jni-1.5.7.jar",
                        "cli/jackson-core-2.20.jar");
        assertThat(JobJars.NONE.around("driver/*", List.of())).isEqualTo("driver/*");
    }
}
