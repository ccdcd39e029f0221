// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that the guide shows. */
@Timeout(900)
final class JdbcGuideTest {
    record Row(LocalDate day, String net, long n) {}

    @TempDir
    Path folder;

    private static void write(Stream<Row> rows, String url) {
        // region write
        rows.to(Jdbc.upsert(url, "quakes_by_day", Row.class)
                .key("day", "net")
                .user("etl")
                .password(Secret.environment("DB_PASSWORD")));
        // endregion
    }

    /** The variable is not set where the tests run; what comes then is the line that a user sees. */
    @Test
    void shouldSayThatTheSecretIsMissing() throws Exception {
        Topology topology = Topology.named("quakes");
        write(
                topology.from(Sources.of(new Row(LocalDate.EPOCH, "ci", 1))),
                "jdbc:sqlite:" + folder.resolve("quakes.db"));
        assertThatThrownBy(() -> new EmbeddedRunner(RunSettings.defaults())
                        .start(topology.graph())
                        .await())
                .hasMessageContaining("DB_PASSWORD is not set; export DB_PASSWORD");
    }

    @Test
    void shouldReadASecretFromAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "word\n");
        assertThat(Secret.file(file.toString()).read()).isEqualTo("word");
        assertThat(Secret.file(file.toString()).toString()).doesNotContain("word");
        assertThatThrownBy(() -> Secret.file(file + "x").read()).hasMessageContaining("cannot be read");
    }
}
