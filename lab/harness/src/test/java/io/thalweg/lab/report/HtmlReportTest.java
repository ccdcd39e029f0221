// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.thalweg.lab.compare.Comparison;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.ResultFiles;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HtmlReportTest {
    private static final Results ALL = MadeUp.allStudies();
    private static final String PAGE = HtmlReport.of(ALL);
    private static final String LINE = "class=\"line\"";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String HOSTILE =
            "</script><script>document.documentElement.dataset.error='ran'</script>\"'&<b>";

    private static final int MOST_TRIES = 5;

    @TempDir
    Path folder;

    @Test
    void shouldHoldEveryCellInItsTables() {
        for (CellResult cell : ALL.cells()) {
            CellText text = CellText.of(cell, MadeUp.MACHINE);
            assertThat(PAGE)
                    .contains(Html.escaped(cell.caseName()))
                    .contains(Html.escaped(text.claim()))
                    .contains(Html.escaped(text.why()));
        }
        long refused =
                ALL.cells().stream().filter(cell -> cell.runs().isEmpty()).count();
        assertThat(count(PAGE, "<tr><td class=\"name\">")).isEqualTo(ALL.cells().size() - refused);
        assertThat(count(PAGE, "<span class=\"cell\">")).isEqualTo(refused);
    }

    @Test
    void shouldFoldWhatWasNotRun_andLeaveInSightWhatFailed() {
        CellResult refused = cell("storm-2012", "g", "storm");
        List<RunResult> failed = ALL.cells().get(0).runs().stream()
                .map(run -> run.invalid("it lost records"))
                .toList();
        String page = HtmlReport.of(new Results(
                Results.SCHEMA,
                MadeUp.MACHINE,
                List.of(),
                List.of(refused, MadeUp.inCase("g2", refused, List.of()), MadeUp.inCase("g3", refused, failed))));

        String folded = page.substring(page.indexOf("<details class=\"refused\">"));
        folded = folded.substring(0, folded.indexOf("</details>"));
        assertThat(folded)
                .contains("2 cells were not run, and why")
                .contains("the child died")
                .contains("g, storm tuned (the authors: about 1,000 tuples/s)")
                .contains("g2, storm tuned")
                .doesNotContain("g3");
        assertThat(count(folded, "<li>")).as("each reason once").isEqualTo(1);
        assertThat(count(page, "<tr><td class=\"name\">")).isEqualTo(1);
        assertThat(count(page, "<td class=\"n none\">no figure</td>")).isGreaterThan(1);
    }

    private static CellResult cell(String study, String caseName, String engine) {
        return ALL.cells().stream()
                .filter(cell -> cell.study().equals(study)
                        && cell.caseName().equals(caseName)
                        && cell.engine().equals(engine))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldHatchWhatHadNotSettled() throws Exception {
        List<CellResult> cells = new ArrayList<>();
        for (CellResult cell : ALL.cells().subList(0, 4)) {
            cells.add(MadeUp.unsettled(cell));
        }
        Results results = new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), cells);
        String page = HtmlReport.of(results);

        assertThat(count(page, "<td class=\"n unsettled\">[^<]* unsettled</td>"))
                .isEqualTo(4);
        assertThat(page).contains("runs had not settled").doesNotContain("data-ratio=\"");
        assertThat(count(inBrowser(page), "class=\"run hollow\""))
                .as("its runs")
                .isEqualTo(4 * 5 + 1);
    }

    @Test
    void shouldSayThatARunWasProfiled_andCompareItWithNothing() {
        List<CellResult> cells =
                ALL.cells().subList(0, 4).stream().map(MadeUp::profiled).toList();
        Results results = new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), cells);
        String text = "profiled, which slows an engine down, so the figure is in no ratio";

        assertThat(HtmlReport.of(results)).contains(text).doesNotContain("data-ratio=\"");
        assertThat(TextReport.of(results, 200))
                .contains(text)
                .contains("profiled")
                .contains("48 B")
                .contains("records sent, 15 failed");
        assertThat(Comparison.of(results, results).rows()).isEmpty();
    }

    @Test
    void shouldNeedNothingFromOutside() {
        assertThat(PAGE)
                .contains("default-src 'none'")
                .doesNotContainPattern("(src|href)=\"(?!#)")
                .doesNotContain("@import")
                .doesNotContain("url(");
    }

    @Test
    void shouldLetNoResultBecomeMarkup() {
        String page = HtmlReport.of(hostile());

        assertThat(count(page, "</script>"))
                .as("the data, and the page's own script")
                .isEqualTo(2);
        assertThat(page).doesNotContain("<b>").doesNotContain(HOSTILE);
    }

    @Test
    void shouldEmbedEveryFigureToSixDigits() throws IOException {
        String start = "id=\"results\">";
        int from = PAGE.indexOf(start) + start.length();
        JsonNode embedded = MAPPER.readTree(PAGE.substring(from, PAGE.indexOf("</script>", from)));
        JsonNode whole = MAPPER.readTree(ResultFiles.toJson(ALL));

        assertSeriesAreEqual(whole, embedded);
    }

    @Test
    void shouldDrawItsChartsInABrowser() throws Exception {
        String page = inBrowser(PAGE);

        assertThat(page).contains("data-drawn=\"yes\"").doesNotContain("data-error");
        List<CellResult> single = ALL.cells().stream()
                .filter(cell -> !cell.caseName().contains("=") && cell.figure() != null && !cell.keepsRate())
                .toList();
        List<RunResult> runs = single.stream()
                .flatMap(cell -> cell.runs().stream())
                .filter(run -> run.recordsPerS() != null)
                .toList();
        assertThat(
                        inCharts(
                                page,
                                "dots",
                                "class=\"run( hollow)?\" cx=\"[\\d.]+\" cy=\"[\\d.]+\" r=\"3.6\" fill=\"[^\"]+\" stroke=\"(?!var\\(--ink)"))
                .as("a point for each run, besides the legend's")
                .isEqualTo(runs.size());
        assertThat(inCharts(page, "dots", "class=\"interval\" stroke=\"(?!var\\(--ink)"))
                .isEqualTo(single.stream()
                        .filter(cell -> cell.figure().ci95() != null)
                        .count());
        // jstorm by layers, by payload in two units; telecom by cardinality.
        assertThat(count(page, "data-chart=\"lines\"")).isEqualTo(4);
        assertThat(inCharts(page, "lines", LINE)).isEqualTo(3 + 3 + 3 + 4);
        // jstorm by workers; kafka by producers, acks, threads.
        assertThat(count(page, "data-chart=\"categories\"")).isEqualTo(4);
        assertThat(inCharts(page, "categories", LINE)).isZero();
        assertThat(inCharts(page, "categories", "class=\"point\"")).isEqualTo(0 + 3 + 3 + 2);
        assertThat(count(page, "class=\"claim\"")).isEqualTo(2 + 1 + 1);
        assertThat(count(page, "data-chart=\"percentiles\"")).isEqualTo(1);
        assertThat(inCharts(page, "percentiles", "class=\"curve\"")).isEqualTo(2);
        assertThat(inCharts(page, "percentiles", "class=\"cores\"")).isEqualTo(2);
        assertThat(count(page, "data-chart=\"time\"")).isEqualTo(5);
        assertThat(count(page, "data-chart=\"peers\"")).isEqualTo(1);
        assertThat(count(page, "class=\"point hollow\""))
                .as("a figure that had not settled")
                .isEqualTo(1);
    }

    /** On a phone: nothing is wider than the window but tables that scroll, no letter is smaller than 10 pixels, none is cut off. */
    @Tag("integration")
    @Test
    void shouldBeReadableInANarrowWindow() throws Exception {
        String outer = """
                <!DOCTYPE html><html><body><script>
                function look(frame) {
                  const page = frame.contentDocument;
                  if (!page.querySelector('figure svg[role=img] text')) { // a busy machine gives the frame its width later
                    setTimeout(() => look(frame), 50);
                    return;
                  }
                  const found = {window: page.documentElement.clientWidth, page: page.documentElement.scrollWidth, texts: 0, small: [], cut: []};
                  for (const text of page.querySelectorAll('figure svg[role=img] text')) {
                    const box = text.getBoundingClientRect(), chart = text.closest('svg'), around = chart.getBoundingClientRect();
                    const size = 12 * around.width / chart.viewBox.baseVal.width;
                    found.texts++;
                    if (size < 10) found.small.push(text.textContent);
                    if (box.left < around.left - 6 || box.right > around.right + 6) found.cut.push(text.textContent);
                  }
                  for (const chart of page.querySelectorAll('figure')) {
                    if (chart.scrollWidth > chart.clientWidth) found.cut.push(chart.textContent.slice(0, 80));
                  }
                  const out = document.createElement('pre');
                  out.id = 'probe';
                  out.textContent = JSON.stringify(found);
                  document.body.append(out);
                }
                </script><iframe width="360" height="740" onload="look(this)" srcdoc="%s"></iframe></body></html>""".formatted(Html.escaped(PAGE));
        JsonNode found = probed(outer);

        assertThat(found.get("window").intValue()).isBetween(300, 360);
        assertThat(found.get("page").intValue()).isEqualTo(found.get("window").intValue());
        assertThat(found.get("texts").intValue()).isGreaterThan(300);
        assertThat(found.get("small")).isEmpty();
        assertThat(found.get("cut")).isEmpty();
    }

    @Tag("integration")
    @Test
    void shouldDrawHostileAndEmptyResultsInABrowser() throws Exception {
        assertThat(inBrowser(HtmlReport.of(hostile())))
                .contains("data-drawn=\"yes\"")
                .doesNotContain("data-error");
        assertThat(inBrowser(HtmlReport.of(new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), List.of()))))
                .contains("data-drawn=\"yes\"")
                .doesNotContain("data-error");
    }

    @Tag("integration")
    @Test
    void shouldDrawEnginesWithNamesOfWhatEveryObjectHas() throws Exception {
        for (String name : List.of("constructor", "__proto__", "toString")) {
            String renamed = ResultFiles.toJson(ALL).replace("\"engine\":\"flink\"", "\"engine\":\"" + name + "\"");
            Results results = ResultFiles.read(Files.writeString(folder.resolve("renamed.json"), renamed));

            String page = inBrowser(HtmlReport.of(results));

            assertThat(page).as(name).contains("data-drawn=\"yes\"").doesNotContain("data-error");
            assertThat(inCharts(page, "dots", ">" + name + " · ")).as(name).isPositive();
        }
    }

    @Tag("integration")
    @Test
    void shouldHandOutItsDataAsTheLabWritesIt() throws Exception {
        String page = HtmlReport.of(new Results(
                Results.SCHEMA,
                MadeUp.MACHINE,
                ALL.studies(),
                ALL.cells().subList(0, 12).stream()
                        .map(MadeUp::profiled)
                        .map(MadeUp::killed)
                        .toList()));
        // A script of the test's own, for which the policy must give way.
        String probe = "<script>const out = document.createElement('pre'); out.id = 'probe';"
                + "out.textContent = JSON.stringify([thalwegLab.results(), thalwegLab.cellsCsv(), thalwegLab.secondsCsv(), thalwegLab.runsCsv()]);"
                + "document.body.append(out);</script></body>";
        JsonNode handed = probed(page.replaceFirst("<meta http-equiv[^>]*>", "").replace("</body>", probe));

        Results again = ResultFiles.read(
                Files.writeString(folder.resolve("again.json"), handed.get(0).toString()));
        assertThat(again.cells()).hasSize(12);
        assertThat(again.cells().get(0).runs().get(0).series())
                .hasSameSizeAs(ALL.cells().get(0).runs().get(0).series());
        List<String> lines = handed.get(1).textValue().lines().toList();
        assertThat(lines).hasSize(1 + 12);
        assertThat(lines.get(0)).contains(",stages,settled,mb_per_s,cpu_s_per_million,");
        int cpu = List.of(lines.get(0).split(",")).indexOf("cpu_s_per_million");
        assertThat(lines.get(1).split(",")[cpu])
                .as("the first cell has no commas before that column")
                .isEqualTo(String.valueOf(again.cells().get(0).cpuSPerMillion()));
        assertThat(lines.get(0)).contains(",recovery_seconds,lost,repeated,stages,");
        assertThat(lines.get(1)).as("median of five, and the most").contains(",4,0,500,");
        long seconds = again.cells().stream()
                .flatMap(cell -> cell.runs().stream())
                .mapToLong(run -> run.series().size())
                .sum();
        assertThat(handed.get(2).textValue().lines()).hasSize((int) seconds + 1);
        List<String> runs = handed.get(3).textValue().lines().toList();
        assertThat(runs.get(0)).contains(",received,failed,cpu_s_per_million,allocated_bytes_per_record,");
        assertThat(runs).hasSizeGreaterThan(2);
        assertThat(runs.subList(1, runs.size()))
                .allMatch(line -> line.contains(",3,0.25,48,") && line.endsWith("00,true"));
    }

    private static Results hostile() {
        List<CellResult> cells = new ArrayList<>();
        for (CellResult cell : ALL.cells().subList(0, 3)) {
            cells.add(new CellResult(
                    HOSTILE,
                    HOSTILE,
                    cell.engine() + HOSTILE,
                    HOSTILE,
                    HOSTILE,
                    HOSTILE,
                    cell.guarantee(),
                    cell.settings(),
                    Map.of(HOSTILE, HOSTILE),
                    List.of(),
                    cell.recordsPerS(),
                    false,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    true,
                    null,
                    true,
                    HOSTILE,
                    new CellResult.Claim(1.0, HOSTILE),
                    1.0,
                    HOSTILE,
                    cell.runs()));
        }
        return new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), cells);
    }

    private static void assertSeriesAreEqual(JsonNode whole, JsonNode embedded) {
        int compared = 0;
        for (int cell = 0; cell < whole.get("cells").size(); cell++) {
            JsonNode runs = whole.get("cells").get(cell).get("runs");
            for (int run = 0; run < runs.size(); run++) {
                JsonNode columns =
                        embedded.get("cells").get(cell).get("runs").get(run).get("series");
                JsonNode seconds = runs.get(run).get("series");
                for (int i = 0; i < seconds.size(); i++) {
                    for (var figure : seconds.get(i).properties()) {
                        JsonNode value = columns.get(figure.getKey()).get(i);
                        if (figure.getValue().isNumber()) {
                            double expected = figure.getValue().doubleValue();
                            assertThat(Math.abs(value.doubleValue() - expected))
                                    .isLessThanOrEqualTo(5e-6 * Math.abs(expected));
                        } else {
                            assertThat(value).isEqualTo(figure.getValue());
                        }
                        compared++;
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(10_000);
    }

    /** The page as a browser has it after its scripts ran. */
    private String inBrowser(String page) throws IOException, InterruptedException {
        Path chromium = Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(chromium != null, "no browser here");
        Path file = Files.writeString(folder.resolve("report.html"), page);
        Path dom = folder.resolve("dom.html");
        Process browser = new ProcessBuilder(
                        chromium.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--virtual-time-budget=5000",
                        "--dump-dom",
                        file.toUri().toString())
                .redirectOutput(dom.toFile())
                .redirectError(folder.resolve("browser.log").toFile())
                .start();
        Set<ProcessHandle> others = new HashSet<>(); // which may outlive it, and write into its profile
        try {
            for (int look = 0; look < 3_000 && !browser.waitFor(100, TimeUnit.MILLISECONDS); look++) {
                browser.descendants().forEach(others::add);
            }
            assertThat(browser.isAlive()).as("the browser ended").isFalse();
        } finally {
            browser.descendants().forEach(others::add);
            browser.destroyForcibly().waitFor();
            others.forEach(ProcessHandle::destroyForcibly);
            others.forEach(each -> each.onExit().join());
        }
        return Files.readString(dom);
    }

    /** What a script of the test's own left in the page. The browser's time may be over before a frame is there: then once more. */
    private JsonNode probed(String page) throws IOException, InterruptedException {
        String probe = "id=\"probe\">";
        String drawn = inBrowser(page);
        for (int tries = 1; !drawn.contains(probe) && tries < MOST_TRIES; tries++) {
            drawn = inBrowser(page);
        }
        assertThat(drawn).contains(probe);
        int from = drawn.indexOf(probe) + probe.length();
        return MAPPER.readTree(unescaped(drawn.substring(from, drawn.indexOf("</pre>", from))));
    }

    /** How often it is in charts of that kind. */
    private static long inCharts(String page, String kind, String pattern) {
        return Pattern.compile("<figure data-chart=\"" + kind + "\">.*?</figure>", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .mapToLong(chart -> count(chart, pattern))
                .sum();
    }

    private static long count(String page, String pattern) {
        return Pattern.compile(pattern).matcher(page).results().count();
    }

    private static String unescaped(String html) {
        return html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }
}
