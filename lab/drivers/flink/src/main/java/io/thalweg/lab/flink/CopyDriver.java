// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Copies {@code topic} to {@code set.out} on Flink until it is stopped, by Flink's own Kafka connector, set up for short latencies; for
 * lab/kafka, which measures them.
 */
public final class CopyDriver implements Driver {
    @Override
    public String version() {
        return EnvironmentInformation.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, configuration(cell));
        environment
                .fromSource(source(cell), WatermarkStrategy.noWatermarks(), "kafka")
                .sinkTo(sink(cell));
        JobClient job = environment.executeAsync("copy");
        CompletableFuture<?> result = job.getJobExecutionResult();
        while (!cell.folder().stopped()) {
            try {
                result.get(50, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // it runs
            }
        }
        job.cancel().get();
        result.handle((ended, cancelled) -> ended).get(20, TimeUnit.SECONDS);
    }

    private static KafkaSource<byte[]> source(Cell cell) {
        return KafkaSource.<byte[]>builder()
                .setBootstrapServers(cell.text("broker", ""))
                .setTopics(cell.text("topic", ""))
                .setGroupId("copy")
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setValueOnlyDeserializer(new Bytes())
                .build();
    }

    private static KafkaSink<byte[]> sink(Cell cell) {
        String out = cell.set().getOrDefault("out", "");
        boolean exactly = cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE;
        return KafkaSink.<byte[]>builder()
                .setBootstrapServers(cell.text("broker", ""))
                .setRecordSerializer(KafkaRecordSerializationSchema.<byte[]>builder()
                        .setTopic(out)
                        .setValueSerializationSchema(new Bytes())
                        .build())
                .setDeliveryGuarantee(exactly ? DeliveryGuarantee.EXACTLY_ONCE : DeliveryGuarantee.AT_LEAST_ONCE)
                .setTransactionalIdPrefix(out)
                .setProperty("linger.ms", "0")
                .setProperty("transaction.timeout.ms", "60000")
                .build();
    }

    /** That of the lab's jobs. */
    private static Configuration configuration(Cell cell) {
        Configuration options = FlinkJob.of(cell).configuration();
        options.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ZERO);
        return options;
    }

    /** Both ways. */
    private static final class Bytes extends AbstractDeserializationSchema<byte[]>
            implements SerializationSchema<byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public byte[] serialize(byte[] value) {
            return value;
        }

        @Override
        public byte[] deserialize(byte[] value) throws IOException {
            return value;
        }
    }

    @Override
    public void close() {}
}
