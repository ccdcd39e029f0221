// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.RunStore;
import java.io.BufferedReader;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg run --history} and {@code thalweg web}, as a user has them. */
@Timeout(900)
@Tag("integration")
final class KeptRunsTest {
    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void writeJob() throws Exception {
        file = folder.resolve("runs.db");
        Files.writeString(folder.resolve("Short.java"), """
                import io.thalweg.api.connector.Sinks;
                import io.thalweg.api.connector.Sources;
                import io.thalweg.api.topology.Settings;
                import io.thalweg.api.topology.Topology;
                import io.thalweg.api.topology.TopologyDefinition;

                public final class Short implements TopologyDefinition {
                    @Override
                    public void define(Topology topology, Settings settings) {
                        String unused = settings.text("db.password", "");
                        long bad = settings.number("fails-at", -1);
                        topology.from(Sources.generate(3, i -> i))
                                .map(i -> {
                                    if (i == bad) throw new IllegalStateException("it is " + i);
                                    return i;
                                })
                                .to(Sinks.print());
                    }
                }
                """);
    }

    private Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) { // as the launcher does
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        // As long as a busy machine needs for an answer.
        command.addAll(List.of("-Dsun.net.httpserver.maxReqTime=240", "-Dsun.net.httpserver.maxRspTime=240"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.thalweg.cli.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(new File(folder.toFile(), "out.txt"));
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return builder.start();
    }

    private static String end(Process process, int code) throws Exception {
        String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(error).isEqualTo(code);
        return error;
    }

    private static String get(URI uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void shouldKeepRunsAndShowThem() throws Exception {
        end(start("run", "Short.java", "--quiet", "--history=runs.db", "--set", "db.password=geheim"), 0);
        end(start("run", "Short.java", "--quiet", "--history=runs.db", "--threads", "1", "--set", "fails-at=1"), 1);

        List<String> kept = new SqliteFile(file, RunStore.Kind.RUN).newest(10);
        assertThat(kept).hasSize(2);
        assertThat(kept.get(0)).contains("\"state\":\"FAILED\",\"over\":true");
        assertThat(kept.get(1)).contains("\"state\":\"FINISHED\",\"over\":true", "\"in\":3,\"out\":3");

        Process web = start("web", "--history=runs.db");
        try (BufferedReader error = web.errorReader(StandardCharsets.UTF_8)) {
            String line = error.readLine();
            assertThat(line).matches("thalweg: web: http://127\\.0\\.0\\.1:\\d+/");
            URI page = URI.create(line.substring(line.indexOf("http")));
            String runs = get(page.resolve("/api/runs"));
            assertThat(runs)
                    .contains(kept.get(0), kept.get(1), file.getFileName().toString());
            String failed = get(page.resolve("/api/run?id=" + kept.get(0).split("\"")[3]));
            assertThat(failed).contains("it is 1", "\"--threads\":\"1\"", "\"settings\":{\"fails-at\":\"1\"}");
            assertThat(get(page.resolve("/api/run?id=" + kept.get(1).split("\"")[3])))
                    .contains("\"db.password\":\"(not kept)\"")
                    .doesNotContain("geheim");
        } finally {
            web.destroy();
        }
        assertThat(web.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(web.exitValue()).isEqualTo(143);
    }

    /** The budget may be over before any change was tried: what is tried depends on the machine. */
    @Test
    void shouldKeepTuningsAndShowThem() throws Exception {
        Files.writeString(
                folder.resolve("Paced.java"),
                Files.readString(folder.resolve("Short.java"))
                        .replace("Short", "Paced")
                        .replace("generate(3, i -> i)", "generate(500, i -> i).rate(1_000)"));
        end(
                start(
                        "tune",
                        "Paced.java",
                        "--quiet",
                        "--history=runs.db",
                        "--budget",
                        "2s",
                        "--threads",
                        "1",
                        "--set",
                        "db.password=geheim"),
                0);

        List<String> kept = new SqliteFile(file, RunStore.Kind.TUNING).newest(10);
        assertThat(kept)
                .singleElement()
                .asString()
                .contains("\"topology\":\"Paced\"", "\"state\":\"FINISHED\",\"over\":true", "\"goal\":\"throughput\"");
        Process web = start("web", "--history=runs.db");
        try (BufferedReader error = web.errorReader(StandardCharsets.UTF_8)) {
            String line = error.readLine();
            URI page = URI.create(line.substring(line.indexOf("http")));
            assertThat(get(page.resolve("/api/tunings"))).contains(kept.get(0));
            assertThat(get(page.resolve("/api/runs"))).startsWith("{\"runs\":[],");
            assertThat(get(page.resolve("/api/tuning?id=" + kept.get(0).split("\"")[3])))
                    .contains(
                            "\"db.password\":\"(not kept)\"",
                            "\"options\":{\"--budget\":\"2s\",\"--threads\":\"1\"}",
                            "\"file\":\"Paced.tuned.yaml\"",
                            "threads: 1",
                            "\"report\":{\"version\":2,\"topology\":\"Paced\"")
                    .doesNotContain("geheim");
        } finally {
            web.destroy();
        }
        end(start("tune", "Short.java", "--quiet", "--history=runs.db", "--set", "fails-at=1"), 1);
        assertThat(new SqliteFile(file, RunStore.Kind.TUNING).newest(1).get(0)).contains("\"state\":\"FAILED\"");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKeepHowARunEndedWhoseOutputIsLost() throws Exception {
        end(start("run", "Short.java", "--quiet", "--history=runs.db", "--stats", "/dev/full"), 1);

        SqliteFile runs = new SqliteFile(file, RunStore.Kind.RUN);
        assertThat(runs.newest(10))
                .singleElement()
                .asString()
                .contains("\"state\":\"FINISHED\",\"over\":true", "\"in\":3,\"out\":3");
        assertThat(runs.detail(runs.newest(10).get(0).split("\"")[3])).contains("/dev/full cannot be written");
    }

    @Test
    void shouldKeepARunWithAPageInTheUsualFile() throws Exception {
        end(start("run", "Short.java", "--quiet", "--web"), 0);
        assertThat(new SqliteFile(folder.resolve("state/thalweg/history.db"), RunStore.Kind.RUN).newest(10))
                .hasSize(1);
        end(start("run", "Short.java", "--quiet", "--web", "--history=none"), 0);
        assertThat(new SqliteFile(folder.resolve("state/thalweg/history.db"), RunStore.Kind.RUN).newest(10))
                .hasSize(1);
    }

    @Test
    void shouldRunTheJobWhereNothingCanBeKept() throws Exception {
        Files.writeString(file, "levels\n".repeat(1_000));
        String error = end(start("run", "Short.java", "--quiet", "--history=runs.db"), 0);
        assertThat(error)
                .isEqualTo("thalweg: this run is not kept: " + file.toRealPath()
                        + " is no database; name another file with --history=FILE\n");
        assertThat(folder.resolve("out.txt")).content().isEqualTo("0\n1\n2\n");
    }
}
