// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * What the Kafka producers of a sink sent, all of them together.
 *
 * @param producers that told what they did; with transactions two for each task, which take turns
 * @param observedNs from when the first of them was observed until when the last was, times how many they are
 * @param records messages that were sent
 * @param requests to brokers
 * @param bytes that were sent, compressed
 * @param bufferWaitNs in which tasks waited because the buffer of their producer ({@code buffer.memory}) was full
 * @param flushNs in which tasks waited until all messages had arrived
 * @param batchBytes of a batch of one partition recently, on average, compressed
 * @param latencyMs how long a request took recently, on average, in milliseconds
 * @param queueMs how long a batch waited to be sent recently, on average, in milliseconds
 * @param throttleMs for how long a quota held a request back recently, on average, in milliseconds
 * @param batchSize {@code batch.size}
 * @param lingerMs {@code linger.ms}
 * @param compression {@code compression.type}
 */
public record KafkaSends(
        int producers,
        long observedNs,
        long records,
        long requests,
        long bytes,
        long bufferWaitNs,
        long flushNs,
        double batchBytes,
        double latencyMs,
        double queueMs,
        double throttleMs,
        long batchSize,
        long lingerMs,
        String compression) {}
