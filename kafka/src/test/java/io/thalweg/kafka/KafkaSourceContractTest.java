// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Source;
import io.thalweg.testkit.contract.SourceContract;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** What the engine relies on, of a topic of three partitions, one of which is empty. */
final class KafkaSourceContractTest extends SourceContract<String> {
    private final TestBroker broker = TestBroker.shared();
    private String topic = "";

    @Override
    protected Source<String> source() throws Exception {
        if (topic.isEmpty()) {
            topic = broker.topic(3);
            broker.send(topic, 0, "a", "", "€");
            broker.send(topic, 2, "z");
        }
        return Kafka.read(broker.address(), topic, Decoder.text()).untilLatest();
    }

    @Override
    protected List<String> records() {
        return List.of("a", "", "€", "z");
    }

    @Override
    protected boolean change(Change how) throws Exception {
        switch (how) {
            case REPLACED -> {
                broker.delete(topic);
                broker.topic(topic, 3);
                broker.send(topic, 0, "b", "c", "d", "e");
                return true;
            }
            case GROWN -> {
                broker.send(topic, 0, "more");
                return true;
            }
            default -> {
                return false; // a broker only appends
            }
        }
    }

    @AfterEach
    void deleteTopic() throws Exception {
        broker.delete(topic);
    }
}
