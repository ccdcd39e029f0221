// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.topology.Topology;
import io.thalweg.broker.KafkaBroker;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.observation.KafkaFetches;
import io.thalweg.doctor.observation.KafkaSends;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.kafka.Kafka;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the clients of a real job tell the doctor. */
@Timeout(900)
@Tag("integration")
final class KafkaFiguresTest {
    private static final int ORDERS = 1_000;

    @RegisterExtension
    static KafkaBroker broker = KafkaBroker.single().withTopic("orders", 1).withTopic("large", 1);

    private static OperatorProfile of(String kind, RunningJob job, List<OperatorProfile> profiles) {
        String name = job.stats().plan().operators().stream()
                .filter(operator -> operator.kind().equals(kind))
                .map(PlanInfo.Operator::name)
                .findFirst()
                .orElseThrow();
        return profiles.stream()
                .filter(profile -> profile.operator().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldCountWhatAJobReadsAndWrites() throws Exception {
        String[] orders = IntStream.range(0, ORDERS).mapToObj(String::valueOf).toArray(String[]::new);
        broker.topics().send("orders", 0, orders);
        Topology topology = Topology.named("orders");
        topology.from(Kafka.read(broker.address(), "orders", Decoder.text())
                        .untilLatest()
                        .set("max.partition.fetch.bytes", "50000"))
                .filter(order -> order.length() == 3)
                .to(Kafka.write(broker.address(), "large", Encoder.text())
                        .set("compression.type", "gzip")
                        .set("linger.ms", "7"));

        try (Profiler profiler = new Profiler()) {
            profiler.start();
            RunningJob job = new EmbeddedRunner(
                            RunSettings.defaults().withParallelism(1).withStages(profiler::made))
                    .start(topology.graph());
            job.await();
            List<OperatorProfile> profiles = profiler.profiles();

            KafkaFetches fetches =
                    Objects.requireNonNull(of("source", job, profiles).fetches());
            assertThat(fetches.consumers()).isEqualTo(1);
            assertThat(fetches.records()).isEqualTo(ORDERS);
            assertThat(fetches.fetches()).isPositive();
            assertThat(fetches.bytes()).as("with what frames them").isGreaterThan(4L * ORDERS);
            assertThat(fetches.polls()).isBetween(1L, (long) ORDERS);
            assertThat(fetches.maxBytes()).isEqualTo(50 << 20);
            assertThat(fetches.maxPartitionBytes()).isEqualTo(50_000);
            assertThat(fetches.minBytes()).isEqualTo(1);
            assertThat(fetches.maxWaitMs()).isEqualTo(500);
            assertThat(fetches.maxPollRecords()).isEqualTo(10_000);
            assertThat(fetches.throttleMs()).isZero();

            KafkaSends sends = Objects.requireNonNull(of("sink", job, profiles).sends());
            assertThat(sends.producers()).isEqualTo(1);
            assertThat(sends.records())
                    .isEqualTo(broker.topics().values("large").size())
                    .isEqualTo(900);
            assertThat(sends.requests()).isPositive();
            assertThat(sends.bytes()).isPositive();
            assertThat(sends.batchBytes()).isPositive();
            assertThat(sends.bufferWaitNs()).isZero();
            assertThat(sends.flushNs()).as("at its end it waits for all").isPositive();
            assertThat(sends.batchSize()).isEqualTo(128 << 10);
            assertThat(sends.lingerMs()).isEqualTo(7);
            assertThat(sends.compression()).isEqualTo("gzip");
            assertThat(sends.throttleMs()).isZero();
        }
    }
}
