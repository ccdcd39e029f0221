// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real Kafka broker for tests with JUnit: in a static field for all tests of a class, in another field for each test a new one. It takes
 * some seconds to start, listens on the loopback alone, and leaves nothing behind.
 *
 * <pre>{@code
 * @RegisterExtension
 * static KafkaBroker broker = KafkaBroker.single().withTopic("orders", 2);
 *
 * @Test
 * void shouldSum() throws Exception {
 *     broker.topics().send("orders", 0, "1", "2");
 *     … Kafka.read(broker.address(), "orders", Decoder.text()).untilLatest() …
 *     assertThat(broker.topics().values("sums")).containsExactly("3");
 * }
 * }</pre>
 */
public final class KafkaBroker implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private final BrokerSetup setup;
    private final Map<String, Integer> created;
    private @Nullable Running running;

    /** How many who began have not ended: nested classes of tests begin within others. */
    private int users;

    private record Running(TrialBroker broker, TrialTopics topics) {}

    private KafkaBroker(BrokerSetup setup, Map<String, Integer> created) {
        this.setup = setup;
        this.created = created;
    }

    /** One broker. */
    public static KafkaBroker single() {
        return with(BrokerSetup.single());
    }

    /** Three brokers; a topic has a replica on each. */
    public static KafkaBroker three() {
        return with(BrokerSetup.single().withBrokers(3));
    }

    /** Brokers that have other settings; {@link #topics} works only if they let everybody in. */
    public static KafkaBroker with(BrokerSetup setup) {
        return new KafkaBroker(setup, Map.of());
    }

    /** With a topic that is there before the first test. */
    public KafkaBroker withTopic(String name, int partitions) {
        Map<String, Integer> more = new TreeMap<>(created);
        more.put(name, partitions);
        return new KafkaBroker(setup, more);
    }

    /** {@code 127.0.0.1:PORT}, with commas between several. */
    public String address() {
        return running().broker().address();
    }

    /** Creates, fills and reads topics. */
    public TrialTopics topics() {
        return running().topics();
    }

    /** To be killed and started again. */
    public TrialBroker process() {
        return running().broker();
    }

    private Running running() {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException(
                    "the broker runs while tests run: is the field annotated with @RegisterExtension?");
        }
        return now;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        begin();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        end();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        begin();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        end();
    }

    private void begin() throws Exception {
        if (users++ == 0) {
            start();
        }
    }

    private void end() {
        if (--users == 0) {
            stop();
        }
    }

    private void start() throws Exception {
        TrialBroker broker = TrialBroker.temporary(setup);
        Running now = new Running(broker, TrialTopics.at(broker.address()));
        running = now;
        for (Map.Entry<String, Integer> topic : created.entrySet()) {
            now.topics().create(topic.getKey(), topic.getValue());
        }
    }

    private void stop() {
        Running now = running;
        running = null;
        if (now != null) {
            now.topics().close();
            now.broker().close();
        }
    }
}
