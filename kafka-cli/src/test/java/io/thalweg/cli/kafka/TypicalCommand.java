// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.Main;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Loads the classes that commands with a broker need, for their archive; there is none. */
public final class TypicalCommand {
    private static final String NOBODY = "127.0.0.1:1";

    private TypicalCommand() {}

    public static void main(String[] arguments) {
        Map<String, Object> settings = Map.of("bootstrap.servers", NOBODY);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(new TopicPartition("none", 0)));
            var unused = consumer.poll(Duration.ofMillis(100));
        }
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()).close(Duration.ZERO);
        Main.main(new String[] {"kafka", "topics", "--brokers", NOBODY, "--connect-timeout", "1"});
    }
}
