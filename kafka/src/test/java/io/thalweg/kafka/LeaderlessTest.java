// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LeaderlessTest {
    private static final Node LEADER = new Node(1, "localhost", 9092);
    private static final TopicPartition FIRST = new TopicPartition("orders", 0);
    private static final TopicPartition SECOND = new TopicPartition("orders", 1);
    private static final Set<TopicPartition> BOTH = Set.of(FIRST, SECOND);

    private static final class Context implements SourceContext {
        private final List<String> warnings = new ArrayList<>();

        @Override
        public void warn(String message) {
            warnings.add(message);
        }

        @Override
        public void bad(BadRecord record) {
            throw new AssertionError(record.describe());
        }

        @Override
        public long nowNs() {
            throw new AssertionError("it is told the time");
        }
    }

    private final Context context = new Context();
    private final Leaderless leaderless = new Leaderless(
            SourceSettings.of(ClientSettings.of("localhost:9092"), Topics.named(List.of("orders"))), context);
    private long nowNs = 7;

    private Set<TopicPartition> look(@Nullable Node... leaders) {
        List<TopicPartitionInfo> partitions = new ArrayList<>();
        for (Node leader : leaders) {
            partitions.add(new TopicPartitionInfo(partitions.size(), leader, List.of(), List.of()));
        }
        return leaderless.look(nowNs, Map.of("orders", new TopicDescription("orders", false, partitions)), BOTH);
    }

    @Test
    void shouldTellOnceOfAPartitionWithoutALeader() {
        assertThat(look(LEADER, LEADER)).isEmpty();
        assertThat(look(LEADER, null)).containsExactly(SECOND);
        assertThat(leaderless.suspects()).isTrue();
        assertThat(context.warnings).as("a leader that moves").isEmpty();
        for (int i = 0; i < 3; i++) {
            nowNs += Duration.ofSeconds(5).toNanos();
            assertThat(look(LEADER, Node.noNode())).containsExactly(SECOND);
        }
        assertThat(leaderless.suspects()).isFalse();
        assertThat(context.warnings)
                .containsExactly(
                        "topic orders, partition 1 at localhost:9092 has no leader: nothing of it is read until"
                                + " it has one; start the brokers that have its data");
    }

    @Test
    void shouldTellAgain_ifItHadALeaderMeanwhile() {
        for (int i = 0; i < 2; i++) {
            look(null, LEADER);
            nowNs += Duration.ofMinutes(1).toNanos();
            look(null, LEADER);
            assertThat(context.warnings).hasSize(i + 1);
            assertThat(look(LEADER, LEADER)).isEmpty();
            assertThat(leaderless.suspects()).isFalse();
        }
    }

    @Test
    void shouldTellOfAPartitionThatIsNotInItsTopic_andNotOfATopicThatIsNotThere() {
        assertThat(leaderless.look(nowNs, Map.of(), BOTH)).isEmpty();
        assertThat(look(LEADER)).containsExactly(SECOND);
        nowNs += Duration.ofMinutes(1).toNanos();
        look(LEADER);
        assertThat(context.warnings)
                .containsExactly(
                        "topic orders, partition 1 at localhost:9092 is not there any more: nothing of it is read");
    }
}
