// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.observation.ConsumerGroup;
import io.thalweg.doctor.observation.GroupLook;
import io.thalweg.doctor.observation.GroupPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What rules ask of a consumer group. Its lag is that of commits, which come every few seconds: lag rises between them and
 * falls at each. So the trend is that from one commit to another.
 */
final class GroupFacts {
    private static final double NS = 1e9;

    private final ConsumerGroup group;

    /** Looks that saw a commit since the look before. */
    private final List<GroupLook> commits = new ArrayList<>();

    GroupFacts(ConsumerGroup group) {
        this.group = group;
        GroupLook before = null;
        for (GroupLook look : group.looks()) {
            if (before != null && look.consumed() > before.consumed()) {
                commits.add(look);
            }
            before = look;
        }
    }

    ConsumerGroup group() {
        return group;
    }

    GroupLook last() {
        return group.looks().get(group.looks().size() - 1);
    }

    double seconds() {
        return last().atNs() / NS;
    }

    long lag() {
        return last().lag();
    }

    double producedPerSecond() {
        return seconds() <= 0 ? 0 : last().produced() / seconds();
    }

    /** Between the first and the last commit that were seen; over all the time if there was one at most. */
    double consumedPerSecond() {
        if (hasTrend()) {
            GroupLook from = commits.get(0);
            GroupLook to = commits.get(commits.size() - 1);
            return (to.consumed() - from.consumed()) * NS / (to.atNs() - from.atNs());
        }
        return seconds() <= 0 ? 0 : last().consumed() / seconds();
    }

    boolean hasTrend() {
        return commits.size() > 1;
    }

    boolean commits() {
        return !commits.isEmpty();
    }

    /** By how much lag was greater at the last commit than at the first one. */
    long growth() {
        return hasTrend()
                ? commits.get(commits.size() - 1).lag() - commits.get(0).lag()
                : 0;
    }

    /** Records by which lag grows in a second; negative if it falls. */
    double growthPerSecond() {
        return hasTrend()
                ? growth()
                        * NS
                        / (commits.get(commits.size() - 1).atNs()
                                - commits.get(0).atNs())
                : 0;
    }

    /** Since the last commit that was seen; since the first look if there was none. */
    double secondsSinceCommit() {
        long fromNs = commits() ? commits.get(commits.size() - 1).atNs() : 0;
        return (last().atNs() - fromNs) / NS;
    }

    /** Records that were committed between the first and the last commit; below 0 if offsets were set back. */
    long consumedBetween() {
        return hasTrend()
                ? commits.get(commits.size() - 1).consumed() - commits.get(0).consumed()
                : 0;
    }

    /** Records that were written between the first and the last commit. */
    long producedBetween() {
        return hasTrend()
                ? commits.get(commits.size() - 1).produced() - commits.get(0).produced()
                : 0;
    }

    /** Partitions of topics that some member reads. */
    List<GroupPartition> read() {
        return group.partitions().stream()
                .filter(each -> group.partitions().stream()
                        .anyMatch(other -> other.topic().equals(each.topic()) && other.member() != null))
                .toList();
    }

    @Nullable GroupPartition furthestBehind() {
        return group.partitions().stream()
                .max(Comparator.comparingLong(GroupPartition::lag))
                .orElse(null);
    }
}
