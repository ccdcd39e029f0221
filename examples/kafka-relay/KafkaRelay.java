// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.kafka.Kafka;

/**
 * Moves the messages of a topic one by one from a source to a task that takes them in, with no computation: the job of
 * the study flink-storm-360.
 *
 * <p>Settings: {@code brokers=HOST:PORT}, {@code topic=NAME}, {@code stages=apart|fused}.
 */
public final class KafkaRelay implements TopologyDefinition {
    enum Stages {
        APART,
        FUSED
    }

    @Override
    public void define(Topology topology, Settings settings) {
        String brokers = settings.required("brokers");
        String topic = settings.text("topic", "messages");
        Stages stages = settings.choice("stages", Stages.APART);

        // region job
        Stream<byte[]> messages = topology.from(
                        Kafka.read(brokers, topic, Decoder.bytes()).untilLatest())
                .name("source");
        Stream<byte[]> moved = stages == Stages.APART ? messages.shuffle() : messages;
        moved.map(message -> message).name("task").to(Sinks.discard());
        // endregion
    }
}
