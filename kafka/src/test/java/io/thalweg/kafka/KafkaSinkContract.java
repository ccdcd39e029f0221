// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.Encoder;
import io.thalweg.testkit.contract.CheckpointedSinkContract;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;

/** Written in transactions: whoever reads what is committed sees each record once. A folder stands for a topic. */
@Tag("one-jdk") // it takes minutes, most of them the broker's
abstract class KafkaSinkContract extends CheckpointedSinkContract<String> {
    private static final int RECORDS = 60;

    private final TestBroker broker = TestBroker.shared();
    private final Map<Path, String> topics = new HashMap<>();

    private String topic(Path folder) throws Exception {
        if (!topics.containsKey(folder)) {
            topics.put(folder, broker.topic(2));
        }
        return topics.get(folder);
    }

    @Override
    protected KafkaSink<String> sinkIn(Path folder) throws Exception {
        return Kafka.write(broker.address(), topic(folder), Encoder.text())
                .transactionalIdPrefix(topic(folder))
                .set("retry.backoff.ms", "10"); // after which a producer asks again whether the one before it is gone
    }

    @Override
    protected List<String> records() {
        return IntStream.range(0, RECORDS).mapToObj(String::valueOf).toList();
    }

    @Override
    protected List<String> writtenIn(Path folder) throws Exception {
        return broker.values(topic(folder));
    }

    @Override
    protected boolean takesBack() {
        return false;
    }
}
