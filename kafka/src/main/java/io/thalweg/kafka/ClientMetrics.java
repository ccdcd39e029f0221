// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * What a client counts for itself. Any thread may call: both clients keep their metrics in a concurrent map, and each metric is read under
 * a lock of its own, also while another thread is in the client.
 */
final class ClientMetrics {
    /** This Java has a flight recorder, without which there is nobody to report to. */
    static final boolean RECORDED = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private static final AtomicLong CLIENTS = new AtomicLong();

    private ClientMetrics() {}

    /** Tells a client from the others of this process, whose ids a user may have made the same. */
    static long number() {
        return CLIENTS.incrementAndGet();
    }

    /** Bytes that brokers have sent. */
    static double bytesIn(Map<MetricName, ? extends Metric> metrics) {
        return of(metrics, "incoming-byte-total");
    }

    /** The same as {@link #of}, of a figure that only grows. */
    static long total(Map<MetricName, ? extends Metric> metrics, String name) {
        return (long) of(metrics, name);
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
