// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import io.thalweg.cli.report.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report for people. */
public final class StagesText {
    private StagesText() {}

    /** Several lines, each of which ends in a line break. */
    public static String of(StagesReport report) {
        StringBuilder text = new StringBuilder("Stages of " + report.topology() + ": "
                + (report.complete() ? "all " : "the first ") + Quantities.count(report.records())
                + (report.records() == 1 ? " record" : " records") + ", each operator alone on one thread\n");
        if (report.stages().isEmpty()) {
            text.append("  no operator was timed\n");
        } else {
            addTable(text, report);
        }
        if (report.recordsBad() > 0) {
            text.append("  bad records: ")
                    .append(Quantities.count(report.recordsBad()))
                    .append("; thalweg run says why\n");
        }
        for (StagesReport.Untimed untimed : report.untimed()) {
            text.append("  not timed: ")
                    .append(untimed.kind())
                    .append(untimed.kind().equals(untimed.operator()) ? "" : " '" + untimed.operator() + "'")
                    .append(": ")
                    .append(untimed.why())
                    .append('\n');
        }
        return text.toString();
    }

    private static void addTable(StringBuilder text, StagesReport report) {
        Double wanted = report.wantedRate();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(
                List.of("operator", "alone", "slowest-fastest", "selectivity", "per source record", "share", "tasks"));
        if (wanted != null) {
            head.add("tasks at " + rate(wanted));
        }
        rows.add(head);
        for (StagesReport.Stage stage : report.stages()) {
            List<String> row = new ArrayList<>(List.of(
                    stage.operator(),
                    rate(stage.recordsPerSecond()),
                    rate(stage.slowest()) + " - " + rate(stage.fastest()),
                    figure(stage.selectivity()),
                    time(stage.sourceNs()),
                    Math.round(stage.share() * 100) + " %",
                    Long.toString(stage.balancedTasks())));
            Long tasks = stage.wantedTasks();
            if (tasks != null) {
                row.add(Long.toString(tasks));
            }
            rows.add(row);
        }
        addRows(text, rows);
        Double balanced = report.balancedRate();
        if (balanced != null) {
            text.append("  in balance with these tasks: ")
                    .append(rate(balanced))
                    .append(" source records keep ")
                    .append(cores(report.cores()))
                    .append(" busy, with nothing but these operators (")
                    .append(time(report.sourceNs()))
                    .append(" each)\n");
        }
        if (wanted != null) {
            double needed = wanted * report.sourceNs() / 1e9;
            text.append("  ")
                    .append(rate(wanted))
                    .append(" keep ")
                    .append(figure(needed))
                    .append(" cores busy")
                    .append(needed > report.cores() ? ", and there are " + report.cores() : "")
                    .append('\n');
        }
        text.append("  to give a record to an operator and take it back takes ")
                .append(time(report.passingNs()))
                .append(", which is part of every row; operators that are fused do without\n");
        for (StagesReport.Stage stage : report.stages()) {
            stage.notes()
                    .forEach(note -> text.append("  '")
                            .append(stage.operator())
                            .append("' ")
                            .append(note)
                            .append('\n'));
        }
    }

    private static void addRows(StringBuilder text, List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ");
            for (int i = 0; i < columns; i++) {
                String format = " %" + (i == 0 ? "-" : "") + widths[i] + "s ";
                line.append(String.format(Locale.ROOT, format, row.get(i)));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private static String cores(int cores) {
        return cores == 1 ? "one core" : "all " + cores + " cores";
    }

    private static String rate(double perSecond) {
        return Quantities.rate(Math.round(perSecond * 1000), 1_000_000_000_000L);
    }

    private static String time(double ns) {
        if (ns < 999.5) {
            return String.format(Locale.ROOT, ns < 9.95 ? "%.1f ns" : "%.0f ns", ns);
        }
        double us = ns / 1e3;
        return us < 999.5
                ? String.format(Locale.ROOT, us < 9.95 ? "%.2f us" : us < 99.5 ? "%.1f us" : "%.0f us", us)
                : String.format(Locale.ROOT, "%.1f ms", us / 1e3);
    }

    private static String figure(double value) {
        return value == Math.rint(value) && value < 1e12
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, value < 0.0995 ? "%.2g" : value < 9.95 ? "%.2f" : "%.1f", value);
    }
}
