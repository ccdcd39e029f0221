// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.finding.LatencyBudget;
import io.thalweg.doctor.finding.LatencyPart;
import io.thalweg.doctor.finding.Range;
import io.thalweg.doctor.finding.WhatIf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A diagnosis for people. */
public final class DiagnosisText {
    private DiagnosisText() {}

    /** Several lines, each of which ends in a line break. */
    public static String of(Diagnosis diagnosis) {
        StringBuilder text = new StringBuilder("Doctor: ")
                .append(diagnosis.observation().plan().topology())
                .append('\n');
        text.append("  bound by ").append(diagnosis.bound().text()).append('\n');
        text.append("  measured ").append(figures(diagnosis.bound().evidence())).append('\n');
        if (diagnosis.findings().isEmpty()) {
            text.append("  nothing to change\n");
        }
        int number = 1;
        for (Finding finding : diagnosis.findings()) {
            add(text, number++, finding);
        }
        LatencyBudget latency = diagnosis.latency();
        if (latency != null) {
            add(text, latency);
        }
        WhatIf whatIf = diagnosis.whatIf();
        if (whatIf != null) {
            add(text, whatIf);
        }
        return text.toString();
    }

    private static void add(StringBuilder text, WhatIf whatIf) {
        text.append("  what if ")
                .append(whatIf.changes().stream()
                        .map(change -> change.name() + ": " + change.from() + " -> " + change.to())
                        .collect(Collectors.joining(", ")))
                .append('\n');
        Range throughput = whatIf.predictedThroughput();
        line(
                text,
                "rate",
                String.format(
                        Locale.ROOT,
                        "%,.0f -> %,.0f records/s (%,.0f to %,.0f)",
                        whatIf.throughput(),
                        throughput.middle(),
                        throughput.low(),
                        throughput.high()));
        Double latency = whatIf.latencyUs();
        Range then = whatIf.predictedLatencyUs();
        if (latency == null || then == null) {
            line(text, "latency", "was not observed");
        } else {
            line(
                    text,
                    "latency",
                    time(latency) + " -> " + time(then.middle()) + " (" + time(then.low()) + " to " + time(then.high())
                            + "), half of the records");
        }
        line(text, "limit", whatIf.limitedBy());
        whatIf.notes().forEach(note -> line(text, "note", note));
    }

    private static void add(StringBuilder text, LatencyBudget latency) {
        text.append("  latency ")
                .append(time(latency.measuredUs()))
                .append(" measured, the ")
                .append(latency.measured())
                .append("; its parts on the slowest way add up to ")
                .append(time(latency.sumUs()))
                .append('\n');
        Map<String, List<LatencyPart>> chains = new LinkedHashMap<>();
        latency.parts()
                .forEach(part -> chains.computeIfAbsent(part.chain(), chain -> new ArrayList<>())
                        .add(part));
        chains.forEach((chain, parts) -> text.append("     ")
                .append(chain)
                .append(": ")
                .append(parts.stream().map(DiagnosisText::part).collect(Collectors.joining(", ")))
                .append('\n'));
        line(text, "rest", time(latency.restUs()) + ", " + latency.rest());
        for (LatencyPart part : latency.beyond()) {
            line(text, "besides", part.chain() + ": " + part(part) + ", " + part.from());
        }
    }

    private static String part(LatencyPart part) {
        Double us = part.us();
        return part.part() + " " + (us == null ? "unknown" : time(us));
    }

    private static String time(double us) {
        double size = Math.abs(us);
        return size < 1_000
                ? String.format(Locale.ROOT, size < 10 ? "%.1f us" : "%.0f us", us)
                : size < 1_000_000
                        ? String.format(Locale.ROOT, "%.1f ms", us / 1_000)
                        : String.format(Locale.ROOT, "%.1f s", us / 1_000_000);
    }

    private static void add(StringBuilder text, int number, Finding finding) {
        text.append("  ").append(number).append(". ").append(finding.rule());
        String where = finding.task() == null ? finding.operator() : finding.task();
        if (where != null) {
            text.append(" in '").append(where).append('\'');
        }
        text.append(": ").append(finding.why()).append('\n');
        line(text, "measured", figures(finding.evidence()));
        line(text, "remedy", finding.remedy());
        String option = finding.option();
        if (option != null) {
            line(text, "option", option);
        }
        Gain gain = finding.predictedGain();
        if (gain != null) {
            line(
                    text,
                    "predicted",
                    String.format(Locale.ROOT, "%.2f to %.2f times the %s", gain.low(), gain.high(), gain.of()));
        }
        line(text, "wrong if", finding.refutedBy());
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "     %-10s%s%n", name, value).replace("\r", ""));
    }

    private static String figures(List<Figure> figures) {
        return figures.stream().map(DiagnosisText::figure).collect(Collectors.joining(", "));
    }

    private static String figure(Figure figure) {
        double value = figure.value();
        String number = value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%,.2f", value);
        return figure.name() + " " + number
                + (figure.unit().isEmpty() ? "" : (figure.unit().startsWith("/") ? "" : " ") + figure.unit());
    }
}
