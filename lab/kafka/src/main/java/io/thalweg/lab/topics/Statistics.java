// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import java.util.List;
import java.util.Locale;

/** Values of several rounds: their median, their range, and the interval that holds their mean by 95 %. */
record Statistics(List<Double> values) {
    /** Of Student's t, two-sided at 5 %, for 1 degree of freedom and more; the last one holds for all that follow. */
    private static final double[] T_95 = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    Statistics {
        values = values.stream().sorted().toList();
    }

    double median() {
        int middle = values.size() / 2;
        return values.size() % 2 == 1 ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
    }

    private double mean() {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** Half of the interval's length; 0 for fewer than two values, of which none can be said. */
    private double margin() {
        int freedom = values.size() - 1;
        if (freedom < 1) {
            return 0;
        }
        double mean = mean();
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        return T_95[Math.min(freedom, T_95.length) - 1] * Math.sqrt(squares / freedom / values.size());
    }

    /** {@code MEDIAN (LEAST – GREATEST)}, divided by a unit. */
    String text(String format, double unit) {
        return String.format(
                Locale.ROOT,
                format + " (" + format + " – " + format + ")",
                median() / unit,
                values.get(0) / unit,
                values.get(values.size() - 1) / unit);
    }

    /** {@code MEAN ± MARGIN} */
    String interval() {
        return String.format(Locale.ROOT, "%.3f ± %.3f", mean(), margin());
    }
}
