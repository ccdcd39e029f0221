// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.StudyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Results for the terminal, in plain text. */
public final class TextReport {
    /** From this width on, the reasons have a column of their own. */
    private static final int WIDE = 150;

    /** From this width on, what a record costs has one. */
    private static final int WITH_COST = 120;

    /** Longer names of cases stand above their rows. */
    private static final int SHORT_NAME = 12;

    private final Results results;
    private final int columns;
    private final StringBuilder out = new StringBuilder();

    private TextReport(Results results, int columns) {
        this.results = results;
        this.columns = columns;
    }

    /** The report in lines of at most {@code columns} characters, as far as its figures fit; 100 to 140 read best. */
    public static String of(Results results, int columns) {
        return new TextReport(results, Math.max(60, columns)).write();
    }

    private String write() {
        machine();
        ReportParts.studies(results).forEach(this::study);
        files();
        peers();
        limit();
        tax();
        heap();
        tuning();
        return out.toString();
    }

    private void machine() {
        paragraph("", String.join("\n", ReportParts.machine(results)));
    }

    private void study(StudyText study) {
        heading(study);
        List<CellResult> cells = cells(cell -> cell.study().equals(study.name()));
        table(cells);
        kafkaTools(cells);
    }

    private void heading(StudyText study) {
        heading(study.title().equals(study.name()) ? study.name() : study.name() + ": " + study.title());
        if (!study.setup().isBlank()) {
            paragraph("The authors' set-up: ", study.setup());
        }
        list("They concluded:", study.conclusions());
        list("Here:", study.notes());
    }

    private void table(List<CellResult> cells) {
        boolean wide = columns >= WIDE;
        boolean shortNames = cells.stream().allMatch(cell -> cell.caseName().length() <= SHORT_NAME);
        TextTable table = new TextTable()
                .text(shortNames ? "case" : "")
                .text("engine")
                .text("variant")
                .text("claim")
                .number("records/s")
                .number("ratio")
                .number("min–max (runs)\n95 % interval")
                .number("p50 / p99, CPU");
        if (columns >= WITH_COST) {
            table.number("CPU/million, B/record");
        }
        if (wide) {
            table.text("why");
        }
        ReportParts.byCase(cells).forEach((caseName, same) -> {
            if (!shortNames) {
                table.heading(caseName);
            }
            String name = shortNames ? caseName : "";
            for (CellResult cell : same) {
                row(table, name, cell, wide);
                name = "";
            }
        });
        out.append('\n').append(table.toText(columns));
    }

    private void row(TextTable table, String caseName, CellResult cell, boolean wide) {
        CellText text = CellText.of(cell, results.machine());
        List<String> row = new ArrayList<>(List.of(
                caseName,
                cell.engine(),
                cell.variant(),
                text.claim(),
                text.here(),
                text.ratio(),
                text.spread(),
                text.latency()));
        if (columns >= WITH_COST) {
            row.add(text.cost());
        }
        if (wide) {
            row.add(text.why());
        }
        table.row(row.toArray(String[]::new));
        if (!wide && !text.why().isEmpty()) {
            table.note(text.why());
        }
    }

    private void kafkaTools(List<CellResult> cells) {
        kafkaTool(
                cells,
                KafkaTools::produces,
                "As kafka-producer-perf-test prints it (the run at the median; MB of 2^20 bytes):");
        kafkaTool(
                cells,
                KafkaTools::consumes,
                "As kafka-consumer-perf-test prints it (the run at the median, columns measured here; MB of 2^20 bytes):\n"
                        + KafkaTools.CONSUMER_HEAD);
    }

    /** Not wrapped: whoever knows the tools searches for their lines. */
    private void kafkaTool(List<CellResult> cells, Predicate<CellResult> which, String head) {
        List<CellResult> chosen = cells.stream().filter(which).toList();
        if (chosen.isEmpty()) {
            return;
        }
        out.append('\n');
        paragraph("", head);
        for (CellResult cell : chosen) {
            out.append(cell.caseName())
                    .append(" · ")
                    .append(cell.engine())
                    .append(" · ")
                    .append(cell.variant())
                    .append("\n  ")
                    .append(KafkaTools.line(cell)
                            .orElseGet(
                                    () -> CellText.of(cell, results.machine()).why()))
                    .append('\n');
        }
    }

    private void limit() {
        List<ShareOfHand> shares = ShareOfHand.of(results);
        if (!shares.isEmpty()) {
            heading("Against the limit: the loop that a person would write for the cell");
            shares.forEach(share -> paragraph("", share.line()));
        }
    }

    private void tax() {
        List<PortabilityTax> taxes = PortabilityTax.of(results);
        if (!taxes.isEmpty()) {
            heading("Thalweg's topology on other engines, and theirs on Thalweg, against jobs written by hand");
            taxes.forEach(tax -> paragraph("", tax.line()));
        }
    }

    private void heap() {
        List<HeapPerKey> all = HeapPerKey.of(results);
        if (!all.isEmpty()) {
            heading("Heap that a key takes");
            all.forEach(each -> paragraph("", each.line()));
        }
    }

    private void files() {
        List<FileTimes> all = FileTimes.of(results);
        if (!all.isEmpty()) {
            heading("Jobs over files, as whole processes");
            all.forEach(each -> paragraph("", each.line()));
        }
    }

    private void peers() {
        Peers peers = Peers.of(results);
        heading("Thalweg against its peers");
        paragraph("", peers.summary());
        SameAgain.of(results).forEach(pair -> paragraph("", pair.line()));
        if (!peers.shared().isEmpty()) {
            out.append('\n').append(peersTable(peers).toText(columns));
        }
        peers.alone(results.machine()).forEach((why, cases) -> {
            out.append('\n');
            paragraph("Peers have a figure and Thalweg has none: ", why);
            cases.forEach(name -> out.append("  - ").append(name).append('\n'));
        });
    }

    private TextTable peersTable(Peers peers) {
        TextTable table = new TextTable()
                .text("case")
                .text("thalweg")
                .text("peer")
                .text("stages")
                .text("by")
                .number("ratio")
                .number("per CPU-s")
                .text("ahead");
        String last = "";
        for (Peers.Pair pair : peers.shared()) {
            String name = pair.ours().study() + "." + pair.ours().caseName();
            String ours = name + " " + pair.stages();
            boolean same = ours.equals(last);
            last = ours;
            table.row(
                    same ? "" : name,
                    same ? "" : pair.ours().variant() + " " + pair.figureOf(pair.ours()),
                    pair.theirs().engine() + " " + pair.theirs().variant() + " " + pair.figureOf(pair.theirs()),
                    pair.stages(),
                    pair.by(),
                    Figures.times(pair.advantage()),
                    pair.perCpuText(),
                    pair.ahead());
            if (!pair.weAreAhead()) {
                String why = CellText.of(pair.ours(), results.machine()).why();
                table.note(why.isEmpty() ? "no reason was recorded" : why);
            }
        }
        return table;
    }

    private void tuning() {
        heading("How each engine was set up");
        ReportParts.tunings(results.cells())
                .forEach((engine, tuning) ->
                        paragraph(engine + ": ", tuning.isEmpty() ? "as it comes" : String.join(", ", pairs(tuning))));
    }

    private static List<String> pairs(Map<String, String> options) {
        return options.entrySet().stream()
                .map(option -> option.getKey() + "=" + option.getValue())
                .toList();
    }

    private List<CellResult> cells(Predicate<CellResult> which) {
        return results.cells().stream().filter(which).toList();
    }

    private void heading(String text) {
        String shown = text.length() > columns ? text.substring(0, columns) : text;
        out.append(out.length() == 0 ? "" : "\n").append(text).append('\n');
        out.append("=".repeat(shown.length())).append('\n');
    }

    private void list(String lead, List<String> items) {
        if (!items.isEmpty()) {
            out.append(lead).append('\n');
            items.forEach(item -> paragraph("- ", item));
        }
    }

    private void paragraph(String lead, String text) {
        String gap = "";
        for (String line : TextTable.wrap(lead + text, columns - 2)) {
            out.append(gap).append(line).append('\n');
            gap = "  ";
        }
    }
}
