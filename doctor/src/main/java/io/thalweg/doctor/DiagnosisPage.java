// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.Change;
import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.finding.LatencyBudget;
import io.thalweg.doctor.finding.LatencyPart;
import io.thalweg.doctor.finding.Range;
import io.thalweg.doctor.finding.WhatIf;
import io.thalweg.doctor.observation.ConsumerGroup;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.GroupLook;
import io.thalweg.doctor.observation.GroupPartition;
import io.thalweg.doctor.observation.HotSpot;
import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A diagnosis as one page of HTML, which needs nothing from outside and runs no script. */
public final class DiagnosisPage {
    private static final String STYLE = """
            :root{color-scheme:light dark;--edge:#8886;--low:#777;--mark:#2a6fb0}
            @media(prefers-color-scheme:dark){:root{--low:#aaa;--mark:#7db7ec}}
            body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
            h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
            .bound{font-size:1.1rem}.low{color:var(--low)}
            section.finding{border:1px solid var(--edge);border-radius:.5rem;padding:.2rem 1rem;margin:1rem 0}
            table{border-collapse:collapse;width:100%}div.wide{overflow-x:auto}
            th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--edge);vertical-align:top}
            td.number,th.number{text-align:right}
            code{overflow-wrap:anywhere}dt{color:var(--low)}dd{margin:0 0 .4rem 0;overflow-wrap:anywhere}
            svg{width:100%;height:auto}polyline{fill:none;stroke:var(--mark);stroke-width:2}text{fill:currentColor;font-size:12px}
            line{stroke:var(--edge)}
            """;

    private static final int WIDTH = 600;
    private static final int HEIGHT = 140;
    private static final int TOP = 18;
    private static final int MOST_PARTITIONS = 200;

    private final StringBuilder page = new StringBuilder();

    private DiagnosisPage() {}

    /** The whole page. Names and messages of the job are text in it, whatever they contain. */
    public static String of(Diagnosis diagnosis) {
        DiagnosisPage made = new DiagnosisPage();
        made.add(diagnosis);
        return made.page.toString();
    }

    private void add(Diagnosis diagnosis) {
        String name = diagnosis.observation().plan().topology();
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append(
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
        text("Doctor: " + name);
        page.append("</title>\n<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n");
        element("h1", "Doctor: " + name);
        page.append("<p class=\"bound\">bound by ");
        text(diagnosis.bound().text());
        page.append("</p>\n");
        figures(diagnosis.bound().evidence());
        element("h2", diagnosis.findings().isEmpty() ? "Nothing to change" : "Findings");
        int number = 1;
        for (Finding finding : diagnosis.findings()) {
            add(number++, finding);
        }
        LatencyBudget latency = diagnosis.latency();
        if (latency != null) {
            add(latency);
        }
        WhatIf whatIf = diagnosis.whatIf();
        if (whatIf != null) {
            add(whatIf);
        }
        ConsumerGroup group = diagnosis.observation().group();
        if (group != null) {
            add(group);
        } else {
            addJob(diagnosis);
        }
        page.append("</body>\n</html>\n");
    }

    private void add(int number, Finding finding) {
        page.append("<section class=\"finding\">\n");
        String where = finding.task() == null ? finding.operator() : finding.task();
        element("h3", number + ". " + finding.rule() + (where == null ? "" : " in '" + where + "'"));
        element("p", finding.why());
        page.append("<dl>\n");
        item("remedy", finding.remedy());
        String option = finding.option();
        if (option != null) {
            item("option", option);
        }
        Gain gain = finding.predictedGain();
        if (gain != null) {
            item("predicted", number(gain.low()) + " to " + number(gain.high()) + " times the " + gain.of());
        }
        item("wrong if", finding.refutedBy());
        page.append("</dl>\n");
        figures(finding.evidence());
        page.append("</section>\n");
    }

    private void add(LatencyBudget latency) {
        element("h2", "Latency");
        table("chain", "part", "us", "from");
        latency.parts().forEach(this::row);
        row("", "parts together", number(latency.sumUs()), "");
        row("", "measured", number(latency.measuredUs()), "the " + latency.measured());
        row("", "rest", number(latency.restUs()), latency.rest());
        page.append("</table></div>\n");
        if (!latency.beyond().isEmpty()) {
            element("p", "Besides, before a record is read and until it is committed:");
            table("chain", "part", "us", "from");
            latency.beyond().forEach(this::row);
            page.append("</table></div>\n");
        }
    }

    private void row(LatencyPart part) {
        Double us = part.us();
        row(part.chain(), part.part(), us == null ? "unknown" : number(us), part.from());
    }

    private void add(WhatIf whatIf) {
        element("h2", "What if");
        page.append("<dl>\n");
        for (Change change : whatIf.changes()) {
            item(change.name(), change.from() + " → " + change.to());
        }
        item("records a second", number(whatIf.throughput()) + " → " + range(whatIf.predictedThroughput()));
        Double latency = whatIf.latencyUs();
        Range then = whatIf.predictedLatencyUs();
        if (latency != null && then != null) {
            item("latency of half of the records, us", number(latency) + " → " + range(then));
        }
        item("limit", whatIf.limitedBy());
        whatIf.notes().forEach(note -> item("note", note));
        page.append("</dl>\n");
    }

    private void addJob(Diagnosis diagnosis) {
        List<Span> spans = diagnosis.observation().spans();
        List<double[]> rates = new ArrayList<>();
        for (Span span : spans) {
            rates.add(new double[] {span.toNs() / 1e9, span.recordsIn() * 1e9 / span.lengthNs()});
        }
        chart("Records read per second", rates);
        element("h2", "Operators");
        table("operator", "kind", "tasks", "of the samples", "most often in");
        long all = diagnosis.observation().operators().stream()
                .mapToLong(each -> each.samples() + each.handOverSamples())
                .sum();
        for (PlanInfo.Operator operator : diagnosis.observation().plan().operators()) {
            OperatorProfile profile = diagnosis.observation().operators().stream()
                    .filter(each -> each.operator().equals(operator.name()))
                    .findFirst()
                    .orElse(null);
            row(
                    operator.name(),
                    operator.kind(),
                    Integer.toString(operator.parallelism()),
                    profile == null || all == 0
                            ? ""
                            : Math.round(100.0 * (profile.samples() + profile.handOverSamples()) / all) + " %",
                    hottest(profile));
        }
        page.append("</table></div>\n");
        element("h2", "Tasks");
        table("task", "records in", "busy", "waiting", "held back");
        totals(spans).forEach((task, total) -> {
            double length = spans.stream().mapToLong(Span::lengthNs).sum();
            row(
                    task,
                    number((double) total.recordsIn()),
                    total.isTimed() ? percent(total.busyNs() / length) : "unknown",
                    total.isTimed() ? percent(total.waitingNs() / length) : "",
                    total.isTimed() ? percent(total.heldBackNs() / length) : "");
        });
        page.append("</table></div>\n");
        addKeys(diagnosis.observation().edges());
    }

    private void addKeys(List<EdgeTotals> edges) {
        List<EdgeTotals> keyed =
                edges.stream().filter(edge -> edge.keys() != null).toList();
        if (keyed.isEmpty()) {
            return;
        }
        element("h2", "Keys");
        table("from", "to", "records with the hottest key", "keys with 1 % or more", "keys looked at");
        for (EdgeTotals edge : keyed) {
            KeyShares keys = Objects.requireNonNull(edge.keys());
            row(
                    edge.from(),
                    edge.to(),
                    keys.hottest().isEmpty() ? "less than 1 %" : percent(keys.hottestShare()),
                    Integer.toString(keys.hottest().size()),
                    number((double) keys.samples()));
        }
        page.append("</table></div>\n");
    }

    private static Map<String, TaskSpan> totals(List<Span> spans) {
        Map<String, TaskSpan> totals = new LinkedHashMap<>();
        spans.forEach(span -> span.tasks().forEach(task -> totals.merge(task.task(), task, TaskSpan::and)));
        return totals;
    }

    private static String hottest(@Nullable OperatorProfile profile) {
        if (profile == null || profile.hot().isEmpty()) {
            return "";
        }
        HotSpot hot = profile.hot().get(0);
        return hot.method()
                + (hot.line().isEmpty() ? "" : " (" + hot.line() + ")")
                + (hot.call().isEmpty() ? "" : (hot.method().isEmpty() ? "" : ": ") + hot.call());
    }

    private void add(ConsumerGroup group) {
        List<double[]> lags = new ArrayList<>();
        for (GroupLook look : group.looks()) {
            lags.add(new double[] {look.atNs() / 1e9, (double) look.lag()});
        }
        chart("Lag in records", lags);
        element("h2", "Partitions");
        table("partition", "lag", "committed", "end", "member");
        group.partitions().stream()
                .limit(MOST_PARTITIONS)
                .forEach(partition -> row(
                        partition.name(),
                        number((double) partition.lag()),
                        offset(partition),
                        number((double) partition.end()),
                        partition.member() == null ? "none" : partition.member()));
        page.append("</table></div>\n");
        if (group.partitions().size() > MOST_PARTITIONS) {
            element("p", "and " + (group.partitions().size() - MOST_PARTITIONS) + " more");
        }
        element("h2", "Members");
        table("member", "client", "host", "partitions");
        group.members()
                .forEach(member ->
                        row(member.member(), member.client(), member.host(), Integer.toString(member.partitions())));
        page.append("</table></div>\n");
    }

    private static String offset(GroupPartition partition) {
        Long committed = partition.committed();
        return committed == null ? "nothing" : number((double) committed);
    }

    /** Seconds and values. */
    private void chart(String title, List<double[]> points) {
        if (points.size() < 2) {
            return;
        }
        double from = points.get(0)[0];
        double to = points.get(points.size() - 1)[0];
        double most =
                Math.max(1, points.stream().mapToDouble(point -> point[1]).max().orElse(1));
        element("h2", title);
        page.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\"><line x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><polyline points=\"",
                WIDTH,
                HEIGHT + 2 * TOP,
                HEIGHT + TOP,
                WIDTH,
                HEIGHT + TOP));
        for (double[] point : points) {
            double x = to <= from ? 0 : (point[0] - from) / (to - from) * WIDTH;
            page.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, TOP + HEIGHT * (1 - point[1] / most)));
        }
        page.append("\"/><text x=\"0\" y=\"12\">");
        text(number(most));
        page.append(
                String.format(Locale.ROOT, "</text><text x=\"0\" y=\"%d\">%.0f s</text>", HEIGHT + 2 * TOP - 4, from));
        page.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f s</text></svg>%n",
                WIDTH,
                HEIGHT + 2 * TOP - 4,
                to));
    }

    private void figures(List<Figure> figures) {
        table("measured", "");
        for (Figure figure : figures) {
            row(figure.name(), number(figure.value()) + (figure.unit().isEmpty() ? "" : " " + figure.unit()));
        }
        page.append("</table></div>\n");
    }

    private void table(String... names) {
        page.append("<div class=\"wide\"><table><tr>");
        for (String name : names) {
            page.append("<th>");
            text(name);
            page.append("</th>");
        }
        page.append("</tr>\n");
    }

    private void row(String... cells) {
        page.append("<tr>");
        for (String cell : cells) {
            page.append("<td>");
            text(cell);
            page.append("</td>");
        }
        page.append("</tr>\n");
    }

    private void item(String name, String value) {
        element("dt", name);
        element("dd", value);
    }

    private void element(String name, String content) {
        page.append('<').append(name).append('>');
        text(content);
        page.append("</").append(name).append(">\n");
    }

    /** Without what HTML would take for itself, and without control characters, which have no place in a page. */
    private void text(String content) {
        content.codePoints().forEach(point -> {
            switch (point) {
                case '<' -> page.append("&lt;");
                case '>' -> page.append("&gt;");
                case '&' -> page.append("&amp;");
                case '"' -> page.append("&quot;");
                case '\'' -> page.append("&#39;");
                default -> {
                    boolean shown = !Character.isISOControl(point)
                            && Character.getType(point) != Character.SURROGATE
                            && Character.getType(point) != Character.FORMAT;
                    page.appendCodePoint(shown ? point : 0xFFFD);
                }
            }
        });
    }

    private static String range(Range range) {
        return number(range.middle()) + " (" + number(range.low()) + " to " + number(range.high()) + ")";
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%,.2f", value);
    }
}
