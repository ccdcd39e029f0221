// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * What the Kafka consumers of a source fetched, all of them together. Limits are those of one consumer.
 *
 * @param consumers that told what they did
 * @param observedNs from when the first of them was observed until when the last was, times how many they are
 * @param fetches requests for messages
 * @param records messages that came
 * @param bytes that came, compressed
 * @param polls calls of the consumer that brought messages
 * @param latencyMs how long a request took recently, on average, in milliseconds; includes waiting for new messages
 * @param throttleMs for how long a quota held a request back recently, on average, in milliseconds
 * @param maxBytes {@code fetch.max.bytes}
 * @param maxPartitionBytes {@code max.partition.fetch.bytes}
 * @param minBytes {@code fetch.min.bytes}
 * @param maxWaitMs {@code fetch.max.wait.ms}
 * @param maxPollRecords {@code max.poll.records}
 */
public record KafkaFetches(
        int consumers,
        long observedNs,
        long fetches,
        long records,
        long bytes,
        long polls,
        double latencyMs,
        double throttleMs,
        long maxBytes,
        long maxPartitionBytes,
        long minBytes,
        long maxWaitMs,
        long maxPollRecords) {}
