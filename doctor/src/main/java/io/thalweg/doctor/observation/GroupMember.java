// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * A member of a consumer group.
 *
 * @param member its id, which the broker gave
 * @param client as its {@code client.id} says
 * @param host that it runs on, as the broker sees it
 * @param partitions how many it reads
 */
public record GroupMember(String member, String client, String host, int partitions) {}
