// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thalweg.lab.report.MadeUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published schema of the lab's JSON, held against what the lab writes and what the guide says. */
final class SchemaTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Path GUIDE = Path.of("../../docs/guide/lab.md");

    @TempDir
    private Path folder;

    @Test
    void shouldHoldForWhatTheLabWrites() throws Exception {
        assertThat(SchemaCheck.errors(MadeUp.allStudies())).isEmpty();
        Results none = new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), List.of());
        assertThat(SchemaCheck.errors(none)).isEmpty();
    }

    @Test
    void shouldFindWhatIsMisspelledMissingOrOfAnotherKind() throws Exception {
        JsonNode results = MAPPER.readTree(ResultFiles.toJson(MadeUp.allStudies()));
        ObjectNode cell = (ObjectNode) results.get("cells").get(0);
        cell.set("cpu_sper_million", cell.remove("cpu_s_per_million"));
        ((ObjectNode) results.get("machine")).put("cores", "two");

        assertThat(SchemaCheck.errors(results))
                .hasSize(3)
                .anyMatch(each -> each.toString().contains("cpu_sper_million"))
                .anyMatch(each -> each.toString().contains("cpu_s_per_million"))
                .anyMatch(each -> each.toString().contains("/machine/cores"));
    }

    @Test
    void shouldHaveEveryFieldInTheGuide() throws Exception {
        String guide = Files.readString(GUIDE);
        Set<String> missing = new TreeSet<>();
        for (JsonNode each : SchemaCheck.schema().findValues("properties")) {
            each.fieldNames().forEachRemaining(name -> {
                if (!guide.contains("`" + name + "`")) {
                    missing.add(name);
                }
            });
        }
        assertThat(missing).as("fields that the guide does not name").isEmpty();
    }

    /** What the lab wrote before it recorded JVMs, and called the CPU time by another name. */
    @Test
    void shouldReadTheVersionBefore() throws Exception {
        ObjectNode results = (ObjectNode) MAPPER.readTree(ResultFiles.toJson(MadeUp.allStudies()));
        results.put("schema", 1);
        ((ObjectNode) results.get("machine")).remove("commit");
        for (JsonNode each : (ArrayNode) results.get("cells")) {
            ObjectNode cell = (ObjectNode) each;
            cell.set("cpu_sper_million", cell.remove("cpu_s_per_million"));
            cell.remove(List.of("stages", "jvms", "settled", "checked"));
            if (cell.get("records_per_s") instanceof ObjectNode rate) {
                rate.remove("ci95");
            }
            cell.get("runs").forEach(run -> ((ObjectNode) run).remove(List.of("trend", "latency_histogram", "job")));
        }
        Path file = Files.writeString(folder.resolve("before.json"), results.toString());
        Results read = ResultFiles.read(file);

        assertThat(read.schema()).isEqualTo(Results.SCHEMA);
        assertThat(SchemaCheck.errors(read)).isEmpty();
        for (int i = 0; i < read.cells().size(); i++) {
            CellResult now = MadeUp.allStudies().cells().get(i);
            CellResult before = read.cells().get(i);
            assertThat(before.cpuSPerMillion()).isEqualTo(now.cpuSPerMillion());
            assertThat(before.recordsPerS())
                    .as("with its interval, from the runs")
                    .isEqualTo(now.recordsPerS());
            if (now.figure() != null) {
                assertThat(before.hasSettled()).isEqualTo(now.hasSettled());
            }
        }

        results.put("schema", 3);
        Path next = Files.writeString(folder.resolve("next.json"), results.toString());
        assertThatThrownBy(() -> ResultFiles.read(next))
                .isInstanceOf(IOException.class)
                .hasMessage(next + " is of schema 3, and this version reads 1 and 2");
    }
}
