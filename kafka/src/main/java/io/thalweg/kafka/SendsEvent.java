// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.util.Map;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** The same as {@link FetchesEvent}, of what a producer has sent. */
@Name("thalweg.KafkaSends")
@Label("Sends of a Kafka producer")
@Enabled(false)
@StackTrace(false)
final class SendsEvent extends Event {
    @Label("Operator")
    String operator = "";

    @Label("Client")
    long client;

    @Label("Messages")
    long records;

    @Label("Requests")
    long requests;

    /** Compressed, as they went. */
    @Label("Bytes to brokers")
    long bytes;

    @Label("Time in which messages had no room in the buffer")
    long bufferWaitNs;

    @Label("Time in which the sink waited for all messages to arrive")
    long flushNs;

    /** Of one partition. */
    @Label("Bytes of a batch, compressed")
    double batchBytes;

    @Label("Time of a request in milliseconds")
    double latencyMs;

    @Label("Time in milliseconds for which a batch waited to be sent")
    double queueMs;

    @Label("Time in milliseconds for which a quota held a request back")
    double throttleMs;

    @Label("batch.size")
    long batchSize;

    @Label("linger.ms")
    long lingerMs;

    @Label("compression.type")
    String compression = "";

    static void report(String operator, long client, SinkSettings sink, Map<MetricName, ? extends Metric> metrics) {
        SendsEvent event = new SendsEvent();
        if (!event.isEnabled()) {
            return;
        }
        event.operator = operator;
        event.client = client;
        event.records = ClientMetrics.total(metrics, "record-send-total");
        event.requests = ClientMetrics.total(metrics, "request-total");
        event.bytes = ClientMetrics.total(metrics, "outgoing-byte-total");
        event.bufferWaitNs = ClientMetrics.total(metrics, "bufferpool-wait-time-ns-total");
        event.flushNs = ClientMetrics.total(metrics, "flush-time-ns-total");
        event.batchBytes = ClientMetrics.of(metrics, "batch-size-avg");
        event.latencyMs = ClientMetrics.of(metrics, "request-latency-avg");
        event.queueMs = ClientMetrics.of(metrics, "record-queue-time-avg");
        event.throttleMs = ClientMetrics.of(metrics, "produce-throttle-time-avg");
        event.batchSize = sink.number(ProducerConfig.BATCH_SIZE_CONFIG);
        event.lingerMs = sink.number(ProducerConfig.LINGER_MS_CONFIG);
        event.compression = sink.compression();
        event.commit();
    }
}
