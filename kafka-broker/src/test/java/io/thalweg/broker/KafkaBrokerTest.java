// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The broker that users' tests get. */
@Timeout(900)
@Tag("integration")
final class KafkaBrokerTest {
    @RegisterExtension
    static final KafkaBroker BROKER = KafkaBroker.single().withTopic("there", 2);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldServeTopics_alsoAfterItWasKilled() throws Exception {
        BROKER.topics().send("there", 1, "b");
        BROKER.topics().send(List.of(new ProducerRecord<>("there", 0, bytes("key"), bytes("a"))));
        BROKER.topics().send(List.of(new ProducerRecord<>("there", 0, bytes("key"), null)));
        assertThat(BROKER.topics().values("there")).containsExactly("a", null, "b");

        BROKER.process().kill();
        BROKER.process().restart();

        assertThat(BROKER.topics().read("there")).hasSize(3).first().satisfies(message -> {
            assertThat(message.key()).isEqualTo(bytes("key"));
            assertThat(message.partition()).isZero();
        });
        String other = BROKER.topics().create(1);
        assertThat(BROKER.topics().create(1)).isNotEqualTo(other);
        assertThat(BROKER.topics().values(other)).isEmpty();
    }

    /** Systems give ports from 32768 on to clients, and one that looks for a broker that is away would be given the broker's. */
    @Test
    void shouldListenWhereNoClientGetsItsPort() {
        String address = BROKER.address();
        assertThat(Integer.parseInt(address.substring(address.indexOf(':') + 1)))
                .isBetween(20_000, 32_767);
    }

    /** It asked again without end, as of a broker that counts as alive in a moment. */
    @Test
    void shouldSayThatThereAreTooFewBrokersForATopic(@TempDir Path folder) throws Exception {
        BrokerSetup setup = BrokerSetup.single().with("default.replication.factor", "2");
        try (TrialBroker alone = TrialBroker.start(folder, setup);
                TrialTopics topics = TrialTopics.at(alone.address())) {
            assertThatThrownBy(() -> topics.create("twice", 1)).hasMessageContaining("only 1 broker(s) are registered");
            alone.kill(); // and wait: its folder is deleted
        }
    }

    @Test
    void shouldSayThatNobodyHasStartedIt() {
        assertThatIllegalStateException()
                .isThrownBy(() -> KafkaBroker.single().address())
                .withMessageContaining("@RegisterExtension");
    }

    /** What is within a class of tests does not end its broker. */
    @Nested
    final class Inner {
        /** A broker of its own for each test. */
        @RegisterExtension
        final KafkaBroker own = KafkaBroker.single();

        @Test
        void shouldFindBoth() throws Exception {
            assertThat(own.topics().values(own.topics().create("mine", 1))).isEmpty();
            assertThat(BROKER.topics().values(BROKER.topics().create(1))).isEmpty();
            assertThat(own.address()).isNotEqualTo(BROKER.address());
        }

        @Test
        void shouldBeginEmpty() throws Exception {
            assertThat(own.topics().create("mine", 1)).isEqualTo("mine");
        }
    }
}
