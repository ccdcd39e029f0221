// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.metrics;

import java.util.List;

/** Takes the metrics of one look, in a form of its own. */
interface Samples {
    /** @param labels values of the labels of the metric, in their order */
    void add(Metric metric, double value, String... labels);

    /** The same for a whole number. */
    void add(Metric metric, long value, String... labels);

    /**
     * @param upTo bounds, rising
     * @param counts for each bound, how many samples were not above it
     */
    void addHistogram(Metric metric, List<Double> upTo, List<Long> counts, long total, double sum);
}
