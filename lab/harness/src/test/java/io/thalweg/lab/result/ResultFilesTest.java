// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thalweg.lab.report.HtmlReport;
import io.thalweg.lab.report.MadeUp;
import io.thalweg.lab.report.TextReport;
import io.thalweg.lab.study.Studies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
final class ResultFilesTest {
    private static final Path PUBLISHED = Path.of("../../docs/studies");

    private static final List<JsonNode> OTHERS = others();

    private static List<JsonNode> others() {
        List<JsonNode> others = new ArrayList<>();
        try {
            JsonMapper.builder()
                    .build()
                    .readTree(
                            "[null, -1, 0, 1e308, 2147483648, true, \"\", \"<hostile>\", \"NaN\", [], {}, [null], {\"a\": null}]")
                    .forEach(others::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return others;
    }

    @TempDir
    private Path folder;

    @Test
    void shouldCompressWhatEndsInGz_andReadBoth() throws Exception {
        Results results = MadeUp.allStudies();
        Path plain = folder.resolve("a.json");
        Path compressed = folder.resolve("a.json.gz");

        ResultFiles.write(results, plain);
        ResultFiles.write(results, compressed);

        assertThat(ResultFiles.toJson(ResultFiles.read(plain))).isEqualTo(ResultFiles.toJson(results));
        assertThat(ResultFiles.toJson(ResultFiles.read(compressed))).isEqualTo(ResultFiles.toJson(results));
        assertThat(Files.size(compressed)).isLessThan(Files.size(plain) / 4);
    }

    @Test
    void shouldNameAFileThatIsDamaged_orHoldsSomethingElse() throws Exception {
        Path compressed = folder.resolve("a.json.gz");
        ResultFiles.write(MadeUp.allStudies(), compressed);
        byte[] all = Files.readAllBytes(compressed);

        Files.write(compressed, Arrays.copyOf(all, all.length / 2));
        assertThatThrownBy(() -> ResultFiles.read(compressed))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(compressed + " ");
        all[all.length - 8] ^= 0x55; // the checksum
        Files.write(compressed, all);
        assertThatThrownBy(() -> ResultFiles.read(compressed))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(compressed + " is damaged: ");
        Files.write(compressed, new byte[0]);
        assertThatThrownBy(() -> ResultFiles.read(compressed))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(compressed + " holds no results of the lab");
        assertThatThrownBy(() -> ResultFiles.read(folder)).hasMessage("cannot read " + folder + ": Is a directory");
        assertThatThrownBy(() -> ResultFiles.read(folder.resolve("none")))
                .hasMessage("cannot read " + folder.resolve("none") + ": no such file or directory");
    }

    @Test
    void shouldRefuseTwoResultsInOneFile_andNamesThatComeTwice() throws Exception {
        String one = ResultFiles.toJson(MadeUp.allStudies());
        Path file = Files.writeString(folder.resolve("a.json"), one + one);

        assertThatThrownBy(() -> ResultFiles.read(file))
                .hasMessageStartingWith(file + " holds no results of the lab: ");
        Files.writeString(file, one.replaceFirst("\\{", "{\"schema\": 2, "));
        assertThatThrownBy(() -> ResultFiles.read(file))
                .hasMessageStartingWith(file + " holds no results of the lab: ");
        Files.writeString(file, "null");
        assertThatThrownBy(() -> ResultFiles.read(file))
                .hasMessage(file + " holds no results of the lab: there is no results");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldReadAPipe() throws Exception {
        Path compressed = folder.resolve("a.json.gz");
        ResultFiles.write(MadeUp.allStudies(), compressed);
        Path pipe = folder.resolve("pipe");
        Process cat = new ProcessBuilder(
                        "sh", "-c", "mkfifo \"$1\" && echo made && cat \"$0\" >\"$1\"", compressed + "", pipe + "")
                .start();
        assertThat(cat.inputReader().readLine()).isEqualTo("made");

        Results results = ResultFiles.read(pipe);

        assertThat(ResultFiles.toJson(results)).isEqualTo(ResultFiles.toJson(MadeUp.allStudies()));
        assertThat(cat.waitFor()).isZero();
    }

    @Test
    void shouldNameAFileThatCannotBeWritten() {
        Path file = folder.resolve("none/a.json");

        assertThatThrownBy(() -> ResultFiles.write(MadeUp.allStudies(), file))
                .hasMessage("cannot write " + file + ": no such file or directory");
    }

    /** Settings are what the version that made the results knows. */
    @Test
    void shouldReportSettingsThatItCannotRead() {
        for (Map<String, String> each : List.of(
                Map.of("processes", "2", "placement", "elsewhere"),
                Map.of("processes", "some"),
                Map.of("rate-search", "fast"),
                Map.of("payload", "large"))) {
            Results results = Studies.explained(MadeUp.allStudies().withSettings(settings -> {
                Map<String, String> all = new TreeMap<>(settings);
                all.putAll(each);
                return all;
            }));
            assertThat(TextReport.of(results, 120)).as(each.toString()).isNotEmpty();
            assertThat(HtmlReport.of(results)).as(each.toString()).isNotEmpty();
        }
    }

    /** Whatever stands in one place of a file: a line says what is wrong with it, or there is a report. */
    @Test
    void shouldReadOrRefuse_whateverAnybodyHasWritten() throws Exception {
        changeAll(5); // each property with some values, each value at some properties: there are 13, and "left out"
    }

    @Tag("long")
    @Test
    void shouldReadOrRefuse_whateverAnybodyHasWrittenAnywhere() throws Exception {
        changeAll(1);
    }

    /** Tries one change of so many. */
    private void changeAll(int one) throws IOException {
        JsonNode all = JsonMapper.builder().build().readTree(ResultFiles.toJson(MadeUp.allStudies()));
        shorten(all.get("studies"));
        shorten(all.get("cells"));
        for (JsonNode cell : all.get("cells")) {
            shorten(cell.get("runs"));
            cell.get("runs").forEach(run -> shorten(run.get("series")));
        }
        every = one;

        change(all, all, "");

        assertThat(refused).isGreaterThan(100);
    }

    private int every;
    private int changes;
    private int refused;

    private static void shorten(JsonNode list) {
        while (list.size() > 2) {
            ((ArrayNode) list).remove(list.size() / 2);
        }
    }

    private void change(JsonNode of, JsonNode all, String where) throws IOException {
        if (of instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                JsonNode before = object.get(name);
                change(before, all, where + "/" + name);
                for (JsonNode other : OTHERS) {
                    object.set(name, other);
                    check(all, where + "/" + name + " = " + other);
                }
                object.remove(name);
                check(all, where + "/" + name + " left out");
                object.set(name, before);
            }
        } else if (of instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                JsonNode before = list.get(i);
                change(before, all, where + "/" + i);
                for (JsonNode other : OTHERS) {
                    list.set(i, other);
                    check(all, where + "/" + i + " = " + other);
                }
                list.set(i, before);
            }
        }
    }

    private void check(JsonNode all, String what) throws IOException {
        if (changes++ % every != 0) {
            return;
        }
        Path file = Files.writeString(folder.resolve("any.json"), all.toString());
        try {
            Results results = ResultFiles.read(file);
            assertThat(TextReport.of(results, 120)).isNotEmpty();
            assertThat(HtmlReport.of(results)).doesNotContain("<hostile");
        } catch (IOException e) {
            assertThat(e).as(what).hasMessageStartingWith(file + " ");
            refused++;
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    /** The results in the repository, of which the pages of the studies are made. */
    @Test
    void shouldMakeAPageOfAllThatIsPublished() throws Exception {
        List<Path> published;
        try (Stream<Path> files = Files.list(PUBLISHED)) {
            published =
                    files.filter(each -> each.toString().endsWith(".json.gz")).toList();
        }
        assertThat(published).hasSizeGreaterThanOrEqualTo(5);
        for (Path file : published) {
            Results results = ResultFiles.read(file);
            assertThat(HtmlReport.of(results))
                    .contains(results.cells().get(0).study())
                    .doesNotContainPattern(
                            "(?<![A-Za-z0-9+/])NaN(?![A-Za-z0-9+/])"); // but in a histogram, which is Base64
        }
    }
}
