// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.doctor.observation.ConsumerGroup;
import io.thalweg.doctor.observation.GroupLook;
import io.thalweg.doctor.observation.GroupMember;
import io.thalweg.doctor.observation.GroupPartition;
import io.thalweg.run.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Looks at a consumer group again and again, and changes nothing. Not thread-safe. */
final class GroupObserver {
    /** As {@link io.thalweg.doctor.observation.Spans} has it: then every second look is left out. */
    private static final int MOST_LOOKS = 600;

    private static final int SHOWN_NAMES = 10;
    private static final String DEAD = "Dead";
    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private final Admin admin;
    private final String servers;
    private final String group;
    private final Clock clock;
    private final List<GroupLook> looks = new ArrayList<>();
    private final Map<TopicPartition, Long> committedBefore = new TreeMap<>(ORDER);

    /** The first offset that was seen to be committed, at whichever look. */
    private final Map<TopicPartition, Long> committedFirst = new TreeMap<>(ORDER);

    private final Map<TopicPartition, Long> endBefore = new TreeMap<>(ORDER);
    private Map<TopicPartition, Long> committed = new TreeMap<>(ORDER);
    private Map<TopicPartition, Long> begins = new TreeMap<>(ORDER);
    private Map<TopicPartition, Long> ends = new TreeMap<>(ORDER);
    private Map<TopicPartition, String> readers = new TreeMap<>(ORDER);
    private List<GroupMember> members = List.of();
    private String state = DEAD;
    private @Nullable String assignor;
    private int changes;
    private long beganNs;

    /** @param group empty if it was not given: then the first look says which there are */
    GroupObserver(Admin admin, String servers, String group, Clock clock) {
        this.admin = admin;
        this.servers = servers;
        this.group = group;
        this.clock = clock;
    }

    /**
     * Takes what the cluster says now.
     *
     * @throws ConnectorException at the first look, if there is no such group; the message has the nearest name
     */
    void look() throws ExecutionException, InterruptedException {
        if (group.isEmpty()) {
            throw new ConnectorException("a consumer group is kafka=HOST:PORT/GROUP; at " + servers + there(groups()));
        }
        boolean first = looks.isEmpty();
        takeMembers(first);
        takeOffsets(first);
        long nowNs = clock.nowNs();
        beganNs = first ? nowNs : beganNs;
        if (looks.size() == MOST_LOOKS) {
            thin();
        }
        looks.add(new GroupLook(nowNs - beganNs, state, members.size(), lag(), since(ends, endBefore), consumed()));
    }

    private void thin() {
        List<GroupLook> half = new ArrayList<>();
        for (int i = 0; i < looks.size(); i += 2) {
            half.add(looks.get(i));
        }
        looks.clear();
        looks.addAll(half);
    }

    private void takeMembers(boolean first) throws ExecutionException, InterruptedException {
        Map<TopicPartition, String> before = readers;
        Set<String> membersBefore = members.stream().map(GroupMember::member).collect(Collectors.toSet());
        try {
            ConsumerGroupDescription described = admin.describeConsumerGroups(List.of(group))
                    .all()
                    .get()
                    .values()
                    .iterator()
                    .next();
            state = described.groupState().toString();
            assignor = described.partitionAssignor().isEmpty() ? null : described.partitionAssignor();
            take(described);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                throw e;
            }
            if (first) {
                throw unknown();
            }
            state = DEAD;
            members = List.of();
            readers = new TreeMap<>(ORDER);
        }
        if (first && state.equals(DEAD)) {
            throw unknown();
        }
        Set<String> membersNow = members.stream().map(GroupMember::member).collect(Collectors.toSet());
        if (!first && (!membersNow.equals(membersBefore) || !readers.equals(before))) {
            changes++;
        }
    }

    private void take(ConsumerGroupDescription described) {
        List<GroupMember> now = new ArrayList<>();
        Map<TopicPartition, String> reads = new TreeMap<>(ORDER);
        described.members().forEach(member -> {
            Set<TopicPartition> assigned = member.assignment().topicPartitions();
            now.add(new GroupMember(member.consumerId(), member.clientId(), member.host(), assigned.size()));
            assigned.forEach(partition -> reads.put(partition, member.consumerId()));
        });
        now.sort(Comparator.comparing(GroupMember::member));
        members = now;
        readers = reads;
    }

    private ConnectorException unknown() throws ExecutionException, InterruptedException {
        Collection<String> all = groups();
        String nearest = Suggestion.of(group, all);
        return new ConnectorException("there is no consumer group " + group + " at " + servers
                + (nearest.isEmpty() ? ";" + there(all) : nearest));
    }

    private static String there(Collection<String> all) {
        if (all.isEmpty()) {
            return " there are no groups";
        }
        return (all.size() == 1 ? " there is " : " there are ")
                + all.stream().limit(SHOWN_NAMES).collect(Collectors.joining(", "))
                + (all.size() > SHOWN_NAMES ? " and " + (all.size() - SHOWN_NAMES) + " more" : "");
    }

    private Collection<String> groups() throws ExecutionException, InterruptedException {
        return admin.listGroups().all().get().stream()
                .map(each -> each.groupId())
                .sorted()
                .toList();
    }

    private void takeOffsets(boolean first) throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> now = new TreeMap<>(ORDER);
        if (!state.equals(DEAD)) {
            for (Map.Entry<TopicPartition, OffsetAndMetadata> each : admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .entrySet()) {
                if (each.getValue() != null) {
                    now.put(each.getKey(), each.getValue().offset());
                }
            }
            committed = now;
        }
        Set<TopicPartition> all = partitions();
        begins = offsets(all, OffsetSpec.earliest());
        ends = offsets(begins.keySet(), OffsetSpec.latest());
        if (first) {
            committedBefore.putAll(committed);
        }
        committed.forEach(committedFirst::putIfAbsent);
        ends.forEach(endBefore::putIfAbsent);
    }

    /** All partitions of the topics that the group has committed or reads; a topic that is deleted has none. */
    private Set<TopicPartition> partitions() throws ExecutionException, InterruptedException {
        Set<String> topics = new TreeSet<>();
        committed.keySet().forEach(partition -> topics.add(partition.topic()));
        readers.keySet().forEach(partition -> topics.add(partition.topic()));
        Set<TopicPartition> all = new TreeSet<>(ORDER);
        for (Map.Entry<String, KafkaFuture<TopicDescription>> each :
                admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                each.getValue()
                        .get()
                        .partitions()
                        .forEach(partition -> all.add(new TopicPartition(each.getKey(), partition.partition())));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        return all;
    }

    private Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, OffsetSpec which)
            throws ExecutionException, InterruptedException {
        ListOffsetsResult asked =
                admin.listOffsets(partitions.stream().collect(Collectors.toMap(each -> each, each -> which)));
        Map<TopicPartition, Long> offsets = new TreeMap<>(ORDER);
        for (TopicPartition partition : partitions) {
            try {
                offsets.put(partition, asked.partitionResult(partition).get().offset());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        return offsets;
    }

    private long lag() {
        return described().stream().mapToLong(GroupPartition::lag).sum();
    }

    private static long since(Map<TopicPartition, Long> now, Map<TopicPartition, Long> before) {
        long since = 0;
        for (Map.Entry<TopicPartition, Long> each : now.entrySet()) {
            since += Math.max(0, each.getValue() - before.getOrDefault(each.getKey(), each.getValue()));
        }
        return since;
    }

    /** Counts from the first commit of each partition: where its reader began is not known, and may be its end. */
    private long consumed() {
        return since(committed, committedFirst);
    }

    private List<GroupPartition> described() {
        List<GroupPartition> partitions = new ArrayList<>();
        ends.forEach((partition, end) -> partitions.add(new GroupPartition(
                partition.topic(),
                partition.partition(),
                readers.get(partition),
                committedBefore.get(partition),
                committed.get(partition),
                begins.getOrDefault(partition, 0L),
                endBefore.getOrDefault(partition, end),
                end)));
        return partitions;
    }

    /** What was seen so far; at least one look. */
    ConsumerGroup group() {
        return new ConsumerGroup(group, state, assignor, members, described(), looks, changes);
    }
}
