// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kstreams;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.driver.TopicConsumer;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/** Runs relays on Kafka Streams, from a topic that the lab has filled. */
public final class StreamsDriver implements Driver {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final long COMMIT_MS = 1_000;
    private static final long USUAL_COMMIT_MS = 30_000;

    @Override
    public String version() {
        return AppInfoParser.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        try (KafkaStreams streams = new KafkaStreams(Relay.topology(cell), settings(cell))) {
            streams.setUncaughtExceptionHandler(problem -> {
                end.completeExceptionally(problem);
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            });
            streams.start();
            endWhenDrained(cell, end);
            end.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Kafka Streams reads without end. */
    private static void endWhenDrained(Cell cell, CompletableFuture<Void> end) {
        Thread watch = new Thread(
                () -> {
                    try {
                        cell.folder().awaitDrained(cell, LONGEST);
                        end.complete(null);
                    } catch (InterruptedException | RuntimeException e) {
                        end.completeExceptionally(e);
                    }
                },
                "watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static Properties settings(Cell cell) {
        Properties settings = new Properties();
        settings.put(
                StreamsConfig.APPLICATION_ID_CONFIG,
                "lab-" + cell.folder().path().getFileName());
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, cell.text("broker", "127.0.0.1:9092"));
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG,
                cell.folder().path().resolve("state").toString());
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, cell.sources());
        settings.put(
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE
                        ? StreamsConfig.EXACTLY_ONCE_V2
                        : StreamsConfig.AT_LEAST_ONCE);
        settings.put(
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                cell.guarantee() == Cell.Guarantee.NONE ? USUAL_COMMIT_MS : cell.number("checkpoint-ms", COMMIT_MS));
        TopicConsumer.SETTINGS.forEach((key, value) -> settings.put(StreamsConfig.consumerPrefix(key), value));
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        settings.put("processing.exception.handler.global.enabled", true); // or it warns at each start
        return settings;
    }

    @Override
    public void close() {}
}
