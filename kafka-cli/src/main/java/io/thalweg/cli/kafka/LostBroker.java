// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.report.Report;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** Says when a consumer has lost its cluster, which itself waits for it without a word. */
final class LostBroker {
    /** A broker that restarts quickly is not worth a line. */
    private static final int PATIENCE_POLLS = 20;

    private final Consumer<?, ?> consumer;
    private final String servers;
    private double received = -1;
    private int silentPolls;

    LostBroker(Consumer<?, ?> consumer, String servers) {
        this.consumer = consumer;
        this.servers = servers;
    }

    /** To be called after each poll. */
    void check(boolean nothingCame) {
        double before = received;
        received = bytesIn(consumer.metrics());
        if (nothingCame && received == before) {
            silentPolls++;
            if (silentPolls == PATIENCE_POLLS) {
                say("no Kafka broker at " + servers + " answers any more; waiting until one does");
            }
        } else {
            if (silentPolls >= PATIENCE_POLLS) {
                say("a Kafka broker at " + servers + " answers again");
            }
            silentPolls = 0;
        }
    }

    private static void say(String line) {
        Report.standardError().println("thalweg: " + line);
    }

    /**
     * From all brokers together: one that leads none of the partitions says nothing. A connection may be there and dead; and each request
     * for messages is answered within half a second.
     */
    static double bytesIn(Map<MetricName, ? extends Metric> metrics) {
        for (Metric metric : metrics.values()) {
            MetricName its = metric.metricName();
            if (its.name().equals("incoming-byte-total")
                    && its.tags().size() <= 1 // the client's id, and no node's
                    && metric.metricValue() instanceof Double bytes) {
                return bytes;
            }
        }
        return Double.NaN; // unknown, and equal to nothing
    }
}
