// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.metrics;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Metrics of one job in the text format of Prometheus, version 0.0.4: for each metric what it is, and then all of its samples. Metrics
 * without samples are left out.
 */
final class Exposition implements Samples {
    private final String topology;
    private final Map<Metric, StringBuilder> samples = new EnumMap<>(Metric.class);

    Exposition(String topology) {
        this.topology = topology;
    }

    @Override
    public void add(Metric metric, double value, String... labels) {
        add(metric, number(value), labels);
    }

    @Override
    public void add(Metric metric, long value, String... labels) {
        add(metric, Long.toString(value), labels);
    }

    private void add(Metric metric, String value, String[] labels) {
        if (labels.length != metric.labels().size()) {
            throw new IllegalArgumentException(metric + " has the labels " + metric.labels());
        }
        line(metric, "", metric.labels(), List.of(labels), value);
    }

    @Override
    public void addHistogram(Metric metric, List<Double> upTo, List<Long> counts, long total, double sum) {
        for (int i = 0; i < upTo.size(); i++) {
            line(metric, "_bucket", List.of("le"), List.of(number(upTo.get(i))), Long.toString(counts.get(i)));
        }
        line(metric, "_bucket", List.of("le"), List.of("+Inf"), Long.toString(total));
        line(metric, "_sum", List.of(), List.of(), number(sum));
        line(metric, "_count", List.of(), List.of(), Long.toString(total));
    }

    private void line(Metric metric, String suffix, List<String> names, List<String> values, String value) {
        StringBuilder text = samples.computeIfAbsent(metric, any -> new StringBuilder());
        text.append(metric.text()).append(suffix).append('{');
        label(text, "topology", topology);
        for (int i = 0; i < names.size(); i++) {
            text.append(',');
            label(text, names.get(i), values.get(i));
        }
        text.append("} ").append(value).append('\n');
    }

    private static void label(StringBuilder text, String name, String value) {
        text.append(name)
                .append("=\"")
                .append(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
                .append('"');
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    String text() {
        StringBuilder all = new StringBuilder();
        samples.forEach((metric, lines) -> all.append("# HELP ")
                .append(metric.text())
                .append(' ')
                .append(metric.help())
                .append("\n# TYPE ")
                .append(metric.text())
                .append(' ')
                .append(metric.type().name().toLowerCase(Locale.ROOT))
                .append('\n')
                .append(lines));
        return all.toString();
    }
}
