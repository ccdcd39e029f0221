// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static io.thalweg.lab.report.Html.escaped;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.StudyText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Results as one HTML page that opens from disk: it holds its style, its script and the results themselves, and its own policy
 * forbids the browser to fetch anything or to run any other script. Tables stand in the page as such; the script draws the charts.
 */
public final class HtmlReport {
    private final Results results;
    private final Html page = new Html();

    private HtmlReport(Results results) {
        this.results = results;
    }

    public static String of(Results results) {
        return new HtmlReport(results).write();
    }

    private String write() {
        String script = PageResource.text(HtmlReport.class, "report.js");
        String title = "Thalweg lab, " + results.machine().started();
        page.head(title, script, PageResource.text(HtmlReport.class, "report.css"));
        machine();
        peers();
        files();
        limit();
        tax();
        heap();
        for (StudyText study : ReportParts.studies(results)) {
            study(study);
        }
        tuning();
        rawData();
        page.raw("<script type=\"application/json\" id=\"results\">")
                .raw(EmbeddedResults.of(results))
                .raw("</script>\n<script>")
                .raw(script)
                .raw("</script>\n</body>\n</html>\n");
        return page.toString();
    }

    private void machine() {
        page.raw("<header>\n<h1>Stream processors, side by side</h1>\n");
        for (String line : ReportParts.machine(results)) {
            page.element("p class=\"where\"", line);
        }
        page.raw("<nav aria-label=\"Parts of this report\"><a href=\"#peers\">Against the peers</a>");
        for (StudyText study : ReportParts.studies(results)) {
            page.raw("<a href=\"#" + anchor(study.name()) + "\">")
                    .text(study.name())
                    .raw("</a>");
        }
        page.raw("<a href=\"#tuning\">Set-up</a><a href=\"#data\">Raw data</a></nav>\n</header>\n");
        page.raw("<noscript><p>The charts need JavaScript; every figure is in the tables too.</p></noscript>\n");
    }

    private void peers() {
        Peers peers = Peers.of(results);
        page.raw("<section id=\"peers\">\n<h2>Thalweg against its peers</h2>\n").element("p", peers.summary());
        SameAgain.of(results).forEach(pair -> page.element("p", pair.line()));
        List<Peers.Pair> behind =
                peers.shared().stream().filter(pair -> !pair.weAreAhead()).toList();
        if (!behind.isEmpty()) {
            page.raw("<p>Not ahead, and what bounds it:</p>\n<ul>\n");
            behind.forEach(this::behind);
            page.raw("</ul>\n");
        }
        peers.alone(results.machine())
                .forEach((why, cases) -> page.raw("<details><summary>")
                        .text("No figure of Thalweg where peers have one, in " + cases.size() + " cases: " + why)
                        .raw("</summary>")
                        .element("p", String.join(", ", cases))
                        .raw("</details>\n"));
        if (!peers.shared().isEmpty()) {
            page.raw("<div id=\"peers-chart\"></div>\n<details><summary>The comparisons as a table</summary>\n")
                    .raw(
                            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Thalweg against its peers\">\n<table>\n")
                    .raw(
                            "<thead><tr><th scope=\"col\">case<th scope=\"col\">Thalweg<th scope=\"col\" class=\"n\">reached")
                    .raw(
                            "<th scope=\"col\">peer<th scope=\"col\" class=\"n\">reached<th scope=\"col\">stages<th scope=\"col\">by")
                    .raw(
                            "<th scope=\"col\" class=\"n\">ratio<th scope=\"col\" class=\"n\">per CPU-second<th scope=\"col\">ahead</tr></thead>\n<tbody>\n");
            peers.shared().forEach(this::pair);
            page.raw("</tbody>\n</table>\n</div></details>\n");
        }
        page.raw("</section>\n");
    }

    private void files() {
        List<FileTimes> all = FileTimes.of(results);
        if (!all.isEmpty()) {
            page.raw("<section id=\"files\">\n<h2>Jobs over files, as whole processes</h2>\n<ul>\n");
            all.forEach(each -> page.element("li", each.line()));
            page.raw("</ul>\n</section>\n");
        }
    }

    private void limit() {
        List<ShareOfHand> shares = ShareOfHand.of(results);
        if (!shares.isEmpty()) {
            page.raw(
                    "<section id=\"limit\">\n<h2>Against the limit: the loop that a person would write for the cell</h2>\n<ul>\n");
            shares.forEach(share -> page.element("li", share.line()));
            page.raw("</ul>\n</section>\n");
        }
    }

    private void tax() {
        List<PortabilityTax> taxes = PortabilityTax.of(results);
        if (!taxes.isEmpty()) {
            page.raw(
                    "<section id=\"tax\">\n<h2>Thalweg's topology on other engines, and theirs on Thalweg, against jobs written by hand</h2>\n<ul>\n");
            taxes.forEach(tax -> page.element("li", tax.line()));
            page.raw("</ul>\n</section>\n");
        }
    }

    private void heap() {
        List<HeapPerKey> all = HeapPerKey.of(results);
        if (!all.isEmpty()) {
            page.raw("<section id=\"heap\">\n<h2>Heap that a key takes</h2>\n<ul>\n");
            all.forEach(each -> page.element("li", each.line()));
            page.raw("</ul>\n</section>\n");
        }
    }

    private void behind(Peers.Pair pair) {
        String why = why(pair.ours());
        page.raw("<li>")
                .element("b", name(pair))
                .text(pair.figureOf(pair.ours()) + " against " + pair.figureOf(pair.theirs()) + " of "
                        + pair.theirs().engine() + " " + pair.theirs().variant() + ", "
                        + Figures.times(pair.advantage())
                        + (pair.overlap() ? " (runs overlap)" : "") + ": "
                        + (why.isEmpty() ? "no reason was recorded" : why))
                .raw("</li>\n");
    }

    private static String name(Peers.Pair pair) {
        return pair.ours().study() + "." + pair.ours().caseName();
    }

    private void pair(Peers.Pair pair) {
        page.raw("<tr data-ratio=\"" + pair.advantage() + "\" data-overlap=\"" + pair.overlap() + "\" data-case=\""
                + escaped(name(pair)) + "\" data-by=\"" + pair.by() + "\" data-engine=\""
                + escaped(pair.theirs().engine()) + "\" data-variant=\""
                + escaped(pair.theirs().variant()) + "\">");
        page.element("th scope=\"row\"", name(pair));
        engine(pair.ours(), pair.ours().variant());
        page.element("td class=\"n\"", pair.figureOf(pair.ours()));
        engine(pair.theirs(), pair.theirs().engine() + " " + pair.theirs().variant());
        page.element("td class=\"n\"", pair.figureOf(pair.theirs()))
                .element("td", pair.stages())
                .element("td", pair.by())
                .element("td class=\"n big\"", Figures.times(pair.advantage()))
                .element("td class=\"n\"", pair.perCpuText())
                .element(pair.weAreAhead() ? "td class=\"ahead\"" : "td class=\"behind\"", pair.ahead())
                .raw("</tr>\n");
    }

    private void engine(CellResult cell, String name) {
        page.raw("<td class=\"name\"><span class=\"dot\" data-engine=\"" + escaped(cell.engine()) + "\" data-variant=\""
                        + escaped(cell.variant()) + "\"></span>")
                .text(name)
                .raw("</td>\n");
    }

    private void study(StudyText study) {
        List<CellResult> cells = cells(cell -> cell.study().equals(study.name()));
        page.raw("<section id=\"" + anchor(study.name()) + "\">\n<h2>")
                .text(study.title())
                .raw(" <small>")
                .text(study.name())
                .raw("</small></h2>\n<div class=\"texts\">\n");
        texts("The authors’ set-up", study.setup().isBlank() ? List.of() : List.of(study.setup()));
        texts("They concluded", study.conclusions());
        texts("Here", study.notes());
        page.raw("</div>\n<div data-charts-of=\"" + escaped(study.name()) + "\"></div>\n");
        table(study.name(), cells.stream().filter(cell -> !wasRefused(cell)).toList());
        refused(cells.stream().filter(HtmlReport::wasRefused).toList());
        kafkaTools(cells, KafkaTools::produces, "As kafka-producer-perf-test prints it", "");
        kafkaTools(
                cells,
                KafkaTools::consumes,
                "As kafka-consumer-perf-test prints it, the columns measured here",
                KafkaTools.CONSUMER_HEAD);
        page.raw("</section>\n");
    }

    private void texts(String head, List<String> texts) {
        if (texts.isEmpty()) {
            return;
        }
        page.raw("<div>").element("h3", head);
        if (texts.size() == 1) {
            page.element("p", texts.get(0));
        } else {
            page.raw("<ul>");
            texts.forEach(text -> page.element("li", text));
            page.raw("</ul>");
        }
        page.raw("</div>\n");
    }

    private void table(String study, List<CellResult> cells) {
        if (cells.isEmpty()) {
            return;
        }
        page.raw("<h3>Claim and figure</h3>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Cells of "
                        + escaped(study) + "\">\n<table>\n")
                .raw(
                        "<thead><tr><th scope=\"col\">engine<th scope=\"col\">claim<th scope=\"col\" class=\"n\">records/s<small>median</small>")
                .raw(
                        "<th scope=\"col\" class=\"n\">ratio<small>to the claim</small><th scope=\"col\" class=\"n\">spread<small>min–max (runs)</small><small>95 % interval</small>")
                .raw(
                        "<th scope=\"col\" class=\"n\">latency<small>p50 / p99, CPU</small><th scope=\"col\" class=\"n\">MB/s<th scope=\"col\" class=\"n\">CPU<small>s per million</small><th scope=\"col\" class=\"n\">allocated<small>bytes a record</small>")
                .raw(
                        "<th scope=\"col\" class=\"n\">RSS<small>MB</small><th scope=\"col\" class=\"n\">GC<small>ms</small></tr></thead>\n");
        ReportParts.byCase(cells).forEach((caseName, same) -> {
            page.raw("<tbody>\n<tr class=\"case\"><th colspan=\"11\" scope=\"rowgroup\"><div class=\"words\">")
                    .text(caseName)
                    .raw("</div></th></tr>\n");
            same.forEach(this::row);
            page.raw("</tbody>\n");
        });
        page.raw("</table>\n</div>\n");
    }

    private void row(CellResult cell) {
        CellText text = CellText.of(cell, results.machine());
        boolean can = cell.figure() != null;
        String otherwise = can ? "not measured" : "no figure";
        page.raw("<tr>");
        engine(cell, cell.engine() + " " + cell.variant());
        page.element(cell.claim() == null ? "td class=\"none\"" : "td class=\"claimed\"", text.claim())
                .element(
                        can
                                ? cell.hasSettled() ? "td class=\"n big\"" : "td class=\"n unsettled\""
                                : "td class=\"n none\"",
                        text.here())
                .element(
                        can && cell.testable() && cell.ratio() != null ? "td class=\"n\"" : "td class=\"n none\"",
                        text.ratio());
        lines(can ? "n" : "n none", text.spread());
        lines(can && cell.latencyUs() != null ? "n" : "n none", text.latency());
        figure(can ? cell.mbPerS() : null, otherwise);
        figure(can ? cell.cpuSPerMillion() : null, otherwise);
        figure(can ? cell.allocatedBytesPerRecord() : null, otherwise);
        figure(can ? cell.rssMb() : null, otherwise);
        figure(can ? cell.gcMs() : null, otherwise);
        page.raw("</tr>\n");
        if (!text.why().isEmpty()) {
            page.raw("<tr class=\"why\"><td colspan=\"11\">")
                    .element("div class=\"words\"", text.why())
                    .raw("</td></tr>\n");
        }
    }

    /** The first line large, the rest small. */
    private void lines(String style, String text) {
        String[] lines = text.split("\n", -1);
        page.raw("<td class=\"" + style + "\">").text(lines[0]);
        for (int i = 1; i < lines.length; i++) {
            page.element("small", lines[i]);
        }
        page.raw("</td>\n");
    }

    /** It was not run at all; one that ran and has no figure failed, and stays in sight. */
    private static boolean wasRefused(CellResult cell) {
        return cell.figure() == null && cell.runs().isEmpty();
    }

    /** Folded, each reason once. */
    private void refused(List<CellResult> cells) {
        if (cells.isEmpty()) {
            return;
        }
        page.raw("<details class=\"refused\"><summary>")
                .text(
                        cells.size() == 1
                                ? "One cell was not run, and why"
                                : cells.size() + " cells were not run, and why")
                .raw("</summary>\n<ul>\n");
        cells.stream()
                .collect(Collectors.groupingBy(this::why, LinkedHashMap::new, Collectors.toList()))
                .forEach((why, same) -> {
                    page.raw("<li>").text(why).raw(" <small>");
                    String comma = "";
                    for (CellResult cell : same) {
                        page.raw(comma)
                                .raw("<span class=\"cell\">")
                                .text(name(cell))
                                .raw("</span>");
                        comma = ", ";
                    }
                    page.raw("</small></li>\n");
                });
        page.raw("</ul></details>\n");
    }

    /** {@code c, storm tuned (the authors: 20,771/s)}. */
    private static String name(CellResult cell) {
        CellResult.Claim claim = cell.claim();
        return cell.caseName() + ", " + cell.engine() + " " + cell.variant()
                + (claim == null || claim.says().isBlank() ? "" : " (the authors: " + claim.says() + ")");
    }

    private String why(CellResult cell) {
        return CellText.of(cell, results.machine()).why();
    }

    private void figure(@Nullable Number value, String otherwise) {
        page.element(
                value == null ? "td class=\"n none\"" : "td class=\"n\"",
                value == null ? otherwise : Figures.digits(value.doubleValue()));
    }

    private void kafkaTools(List<CellResult> cells, Predicate<CellResult> which, String title, String head) {
        List<CellResult> chosen = cells.stream().filter(which).toList();
        if (chosen.isEmpty()) {
            return;
        }
        page.element("h3", title);
        page.element("p", "The run at the median, its measured part; MB of 2^20 bytes, as the tool counts them.");
        page.raw("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + escaped(title) + "\"><pre>")
                .text(head.isEmpty() ? "" : head + "\n");
        for (CellResult cell : chosen) {
            page.text("# " + cell.caseName() + " · " + cell.engine() + " · " + cell.variant() + "\n")
                    .text(KafkaTools.line(cell)
                            .orElseGet(
                                    () -> CellText.of(cell, results.machine()).why()))
                    .text("\n");
        }
        page.raw("</pre></div>\n");
    }

    private void tuning() {
        page.raw("<section id=\"tuning\">\n<h2>How each engine was set up</h2>\n<div class=\"wide\"><table>\n")
                .raw(
                        "<thead><tr><th scope=\"col\">engine, version, variant<th scope=\"col\">options</tr></thead>\n<tbody>\n");
        ReportParts.tunings(results.cells()).forEach((engine, tuning) -> {
            page.raw("<tr>").element("th scope=\"row\"", engine).raw("<td>");
            if (tuning.isEmpty()) {
                page.raw("as it comes");
            }
            for (Map.Entry<String, String> option : tuning.entrySet()) {
                page.raw("<code>")
                        .text(option.getKey() + "=" + option.getValue())
                        .raw("</code><br>");
            }
            page.raw("</td></tr>\n");
        });
        page.raw("</tbody></table></div>\n</section>\n");
    }

    private void rawData() {
        page.raw("<section id=\"data\">\n<h2>Raw data</h2>\n")
                .element(
                        "p",
                        "Everything above is drawn from what this page holds: every cell, every run, every second.")
                .raw(
                        "<div class=\"buttons\"><button type=\"button\" data-download=\"json\">All of it, as JSON</button>")
                .raw("<button type=\"button\" data-download=\"cells\">Cells, as CSV</button>")
                .raw("<button type=\"button\" data-download=\"runs\">Runs, as CSV</button>")
                .raw("<button type=\"button\" data-download=\"seconds\">Seconds, as CSV</button></div>\n</section>\n");
    }

    private List<CellResult> cells(Predicate<CellResult> which) {
        return results.cells().stream().filter(which).toList();
    }

    private static String anchor(String study) {
        return "study-" + study.replaceAll("[^\\w-]", "-");
    }
}
