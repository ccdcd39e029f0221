// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.SourceContext;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/** Warns when the consumer has lost the cluster; the consumer itself would wait silently. */
final class Connection {
    /** A leader election or a quick restart of a broker is not reported. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private final Consumer<?, ?> consumer;
    private final String servers;
    private final SourceContext context;
    private long silentSinceNs;
    private boolean silent;
    private boolean told;

    Connection(Consumer<?, ?> consumer, String servers, SourceContext context) {
        this.consumer = consumer;
        this.servers = servers;
        this.context = context;
    }

    /** A poll returned nothing. That is reported only if there is no connection either. */
    void checkSilence() {
        if (connections() > 0) {
            answered();
            return;
        }
        long nowNs = context.nowNs();
        if (!silent) {
            silent = true;
            silentSinceNs = nowNs;
        } else if (!told && nowNs - silentSinceNs > PATIENCE_NS) {
            told = true;
            context.warn("no Kafka broker at " + servers + " answers any more; the job waits until one does");
        }
    }

    void answered() {
        silent = false;
        if (told) {
            told = false;
            context.warn("a Kafka broker at " + servers + " answers again; the job continues");
        }
    }

    private double connections() {
        for (Metric metric : consumer.metrics().values()) {
            if (metric.metricName().name().equals("connection-count") && metric.metricValue() instanceof Double count) {
                return count;
            }
        }
        return 1; // unknown
    }
}
