// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kstreams;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/**
 * Copies {@code topic} to {@code set.out} on Kafka Streams until it is stopped, set up for short latencies; for lab/kafka, which measures
 * them.
 */
public final class CopyDriver implements Driver {
    private static final Duration CLOSING = Duration.ofSeconds(20);

    @Override
    public String version() {
        return AppInfoParser.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(cell.text("topic", ""), Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .to(cell.set().getOrDefault("out", ""), Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
        CompletableFuture<Void> failure = new CompletableFuture<>();
        try (KafkaStreams streams = new KafkaStreams(builder.build(), settings(cell))) {
            streams.setUncaughtExceptionHandler(problem -> {
                failure.completeExceptionally(problem);
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            });
            streams.start();
            awaitStop(cell, failure);
            streams.close(CLOSING);
        }
    }

    private static void awaitStop(Cell cell, CompletableFuture<Void> failure) throws Exception {
        while (!cell.folder().stopped()) {
            try {
                failure.get(50, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // it runs
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    private static Properties settings(Cell cell) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, cell.set().getOrDefault("out", "") + "-of-streams");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, cell.text("broker", ""));
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG,
                cell.folder().path().resolve("state").toString());
        settings.put(
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE
                        ? StreamsConfig.EXACTLY_ONCE_V2
                        : StreamsConfig.AT_LEAST_ONCE);
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, cell.number("checkpoint-ms", 100));
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        settings.put("processing.exception.handler.global.enabled", true); // or it warns at each start
        return settings;
    }

    @Override
    public void close() {}
}
