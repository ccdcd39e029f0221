// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.util.Map;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * What a consumer has fetched since it was made, for a recording of the JDK's flight recorder that enables it, as the doctor's does.
 * Counts grow; the first one of a client is where to count from. Averages are those of the consumer, over its last half minute at least.
 */
@Name("thalweg.KafkaFetches")
@Label("Fetches of a Kafka consumer")
@Enabled(false)
@StackTrace(false)
final class FetchesEvent extends Event {
    @Label("Operator")
    String operator = "";

    @Label("Client")
    long client;

    @Label("Requests for messages")
    long fetches;

    @Label("Messages")
    long records;

    /** Compressed, as they came. */
    @Label("Bytes from brokers")
    long bytes;

    @Label("Calls that brought messages")
    long polls;

    /** Includes waiting for new messages. */
    @Label("Time of a request in milliseconds")
    double latencyMs;

    @Label("Time in milliseconds for which a quota held a request back")
    double throttleMs;

    @Label("fetch.max.bytes")
    long maxBytes;

    @Label("max.partition.fetch.bytes")
    long maxPartitionBytes;

    @Label("fetch.min.bytes")
    long minBytes;

    @Label("fetch.max.wait.ms")
    long maxWaitMs;

    @Label("max.poll.records")
    long maxPollRecords;

    static void report(
            String operator,
            long client,
            long polls,
            SourceSettings source,
            Map<MetricName, ? extends Metric> metrics) {
        FetchesEvent event = new FetchesEvent();
        if (!event.isEnabled()) {
            return;
        }
        event.operator = operator;
        event.client = client;
        event.fetches = ClientMetrics.total(metrics, "fetch-total");
        event.records = ClientMetrics.total(metrics, "records-consumed-total");
        event.bytes = (long) ClientMetrics.bytesIn(metrics);
        event.polls = polls;
        event.latencyMs = ClientMetrics.of(metrics, "fetch-latency-avg");
        event.throttleMs = ClientMetrics.of(metrics, "fetch-throttle-time-avg");
        event.maxBytes = source.number(ConsumerConfig.FETCH_MAX_BYTES_CONFIG);
        event.maxPartitionBytes = source.number(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG);
        event.minBytes = source.number(ConsumerConfig.FETCH_MIN_BYTES_CONFIG);
        event.maxWaitMs = source.number(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
        event.maxPollRecords = source.number(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
        event.commit();
    }
}
