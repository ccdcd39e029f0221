// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.driver.Meters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * Kafka itself. The brokers stay up, and warm, from cell to cell; the setting {@code brokers} says how many, and each number of
 * them is a cluster of its own.
 */
public final class KafkaDriver implements Driver {
    /** Cold brokers and cold clients are several times slower. */
    private static final long WARM_UP_S = 20;

    /** Brokers with their topics. */
    private static final class Cluster {
        final Brokers brokers;
        final Topics topics;
        boolean warm;

        Cluster(Brokers brokers) {
            this.brokers = brokers;
            this.topics = new Topics(brokers);
        }
    }

    private final Map<Integer, Cluster> clusters = new HashMap<>();

    @Override
    public String version() {
        return AppInfoParser.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        switch (cell.workload()) {
            case PRODUCE, CONSUME -> {
                Cluster cluster = cluster((int) cell.number("brokers"));
                if (!cluster.warm) {
                    warmUp(cell, cluster);
                    cluster.warm = true;
                }
                run(cell, cluster);
            }
            case SERVE -> serve(cell, cluster((int) cell.number("brokers")));
            default -> throw new IllegalArgumentException("no workload of Kafka: " + cell.workload());
        }
    }

    private static void run(Cell cell, Cluster cluster) throws Exception {
        if (cell.workload() == Cell.Workload.PRODUCE) {
            new Producers(cell, cluster.brokers).run(cluster.topics);
        } else {
            new Consumers(cell, cluster.brokers).run(cluster.topics);
        }
    }

    /** Does the same as the cell for a while. */
    private static void warmUp(Cell cell, Cluster cluster) throws Exception {
        long seconds = cell.number("warm-up-s", WARM_UP_S);
        if (seconds == 0) {
            return;
        }
        Path folder = Files.createTempDirectory(cell.folder().path(), "warm-up");
        Cell warm = cell.with(Map.of("records", "0", "rate", "0", "fill", "" + Consumers.topicSize(cell)), folder);
        Executor later = CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS);
        CompletableFuture<Void> stop = CompletableFuture.runAsync(
                () -> {
                    try {
                        warm.folder().stop();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                later);
        run(warm, cluster);
        stop.join();
        Meters.closeAll();
    }

    private static void serve(Cell cell, Cluster cluster) throws Exception {
        int payload = Math.max(Long.BYTES, cell.payload());
        Topics.Filled topic = cluster.topics.filled(partitions(cell), payload, cell.records());
        Consumers.check(topic.name(), topic.partitions(), topic.payload(), topic.records(), cluster.brokers);
        Properties service = new Properties();
        service.setProperty("broker", cluster.brokers.addresses());
        service.setProperty("topic", topic.name());
        try (Writer writer = Files.newBufferedWriter(cell.folder().path().resolve("service.properties"))) {
            service.store(writer, null);
        }
    }

    /** As the study, if nothing is said. */
    static int partitions(Cell cell) {
        return (int) cell.number("partitions", 100);
    }

    /** A cluster of that many brokers; one that has lost a broker is replaced. */
    private Cluster cluster(int count) throws Exception {
        Cluster cluster = clusters.get(count);
        if (cluster != null && !cluster.brokers.allAlive()) {
            clusters.remove(count);
            cluster.brokers.close();
            cluster = null;
        }
        if (cluster == null) {
            Brokers brokers = Brokers.start(count);
            cluster = new Cluster(brokers);
            clusters.put(count, cluster);
        }
        return cluster;
    }

    @Override
    public void close() {
        clusters.values().forEach(cluster -> cluster.brokers.close());
    }
}
