// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import java.util.List;

/**
 * Topics of Apache Kafka.
 *
 * <pre>{@code
 * topology.from(Kafka.read("localhost:9092", "orders", Json.decoder(Order.class)))
 *         .eventTime(Order::time, Duration.ofSeconds(5))
 *         …
 * }</pre>
 */
public final class Kafka {
    private Kafka() {}

    /**
     * Reads the values of a topic's messages, from its beginning and without an end unless configured otherwise.
     *
     * @param servers bootstrap servers: {@code HOST:PORT}, or several separated by commas
     * @param topic name of the topic
     * @param decoder decodes the value of a message
     */
    public static <T> KafkaSource<T> read(String servers, String topic, Decoder<T> decoder) {
        return read(servers, List.of(topic), decoder);
    }

    /** The same as {@link #read(String, String, Decoder)}, for several topics with messages of the same kind. */
    public static <T> KafkaSource<T> read(String servers, List<String> topics, Decoder<T> decoder) {
        return KafkaSource.of(servers, Topics.named(topics), decoder);
    }

    /**
     * Reads all topics whose whole name matches a regular expression, including those created while the job runs.
     * Kafka's internal topics are left out.
     *
     * @throws IllegalArgumentException if {@code pattern} is not a regular expression
     */
    public static <T> KafkaSource<T> readMatching(String servers, String pattern, Decoder<T> decoder) {
        return KafkaSource.of(servers, Topics.matching(pattern), decoder);
    }

    /**
     * Writes records to a topic, which must exist.
     *
     * <pre>{@code
     * totals.to(Kafka.write("localhost:9092", "totals", Json.<Total>encoder()).key(Total::shop));
     * }</pre>
     *
     * @param servers as in {@link #read(String, String, Decoder)}
     * @param topic name of the topic
     * @param value encodes the value of a message
     */
    public static <T> KafkaSink<T> write(String servers, String topic, Encoder<T> value) {
        return KafkaSink.of(servers, topic, value);
    }
}
