// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * A consumer group at a time.
 *
 * @param atNs nanoseconds since the first look
 * @param state as Kafka calls it
 * @param members how many
 * @param lag records that are there and not committed, of all partitions
 * @param produced records that were written since the first look
 * @param consumed records that were committed since the first look, and since the first commit that was seen of a partition
 */
public record GroupLook(long atNs, String state, int members, long lag, long produced, long consumed) {}
