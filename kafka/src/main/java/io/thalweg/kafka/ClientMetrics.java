// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** What a client counts for itself. Any thread may call. */
final class ClientMetrics {
    private ClientMetrics() {}

    /** Bytes that brokers have sent. */
    static double bytesIn(Map<MetricName, ? extends Metric> metrics) {
        return of(metrics, "incoming-byte-total");
    }

    /** Of the whole client, not of one broker or topic; 0 if there is none, or nothing was measured. */
    static double of(Map<MetricName, ? extends Metric> metrics, String name) {
        for (Metric metric : metrics.values()) {
            MetricName its = metric.metricName();
            if (its.name().equals(name)
                    && its.tags().size() <= 1 // the client's id
                    && metric.metricValue() instanceof Double number
                    && !number.isNaN()) {
                return number;
            }
        }
        return 0;
    }
}
