// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group of Kafka.
 *
 * @param group its id
 * @param state as Kafka calls it, at the end: {@code Stable}, {@code Empty}
 * @param assignor that shares partitions out among members; null if there is none
 * @param members at the end
 * @param partitions of all topics that the group has committed or reads
 * @param looks in the order of time, at least one
 * @param changes looks at which the members, or what they read, were others than at the look before
 */
public record ConsumerGroup(
        String group,
        String state,
        @Nullable String assignor,
        List<GroupMember> members,
        List<GroupPartition> partitions,
        List<GroupLook> looks,
        int changes) {
    public ConsumerGroup {
        members = List.copyOf(members);
        partitions = List.copyOf(partitions);
        looks = List.copyOf(looks);
        if (looks.isEmpty()) {
            throw new IllegalArgumentException("nobody has looked at the group");
        }
    }
}
