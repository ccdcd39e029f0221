// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.ObserverProvider;
import io.thalweg.cli.UsageException;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.kafka.KafkaCluster;
import io.thalweg.run.Clock;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** {@code thalweg doctor kafka=HOST:PORT/GROUP}. */
public final class GroupObserverProvider implements ObserverProvider {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final String PREFIX = "kafka.";
    private static final String FILE = "kafka.settings";

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String address() {
        return "HOST:PORT/GROUP";
    }

    @Override
    public Observation observe(String address, Map<String, String> settings, Duration atMost)
            throws InterruptedException {
        int slash = address.indexOf('/');
        String servers = slash < 0 ? address : address.substring(0, slash);
        String group = slash < 0 ? "" : address.substring(slash + 1);
        if (servers.isBlank()) {
            throw new UsageException("a consumer group is kafka=HOST:PORT/GROUP, not kafka=" + address);
        }
        KafkaCluster cluster = cluster(servers, settings);
        try (Admin admin = cluster.admin()) {
            GroupObserver observer = new GroupObserver(admin, servers, group, Clock.system());
            observer.look();
            watch(observer, atMost);
            return Observation.of(observer.group());
        } catch (ExecutionException | KafkaException e) {
            throw cluster.failure("observe group " + group, e);
        }
    }

    private static void watch(GroupObserver observer, Duration atMost) throws InterruptedException, ExecutionException {
        Clock clock = Clock.system();
        CountDownLatch never = new CountDownLatch(1);
        long untilNs = clock.nowNs() + atMost.toNanos();
        while (clock.nowNs() - untilNs < 0 && !never.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
            observer.look();
        }
    }

    private static KafkaCluster cluster(String servers, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>();
        String file = settings.get(FILE);
        if (file != null) {
            all.putAll(ClusterOptions.read(path(file)));
        }
        settings.forEach((name, value) -> {
            if (!name.startsWith(PREFIX) || name.equals(PREFIX)) {
                throw new UsageException("--set takes kafka.NAME=VALUE, a setting of Kafka's client, or " + FILE
                        + "=FILE, not " + name + "=…");
            }
            if (!name.equals(FILE)) {
                all.put(name.substring(PREFIX.length()), value);
            }
        });
        return ClusterOptions.with(KafkaCluster.at(servers), all, "behind kafka=");
    }

    private static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new ConnectorException("'" + file + "' is no name of a file", e);
        }
    }
}
