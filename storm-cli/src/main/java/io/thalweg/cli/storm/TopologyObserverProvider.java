// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.api.connector.Suggestion;
import io.thalweg.cli.ObserverProvider;
import io.thalweg.cli.UsageException;
import io.thalweg.cli.storm.doctor.NimbusConnection;
import io.thalweg.cli.storm.doctor.TopologyObserver;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.run.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.utils.Utils;

/** {@code thalweg doctor storm=HOST:PORT/TOPOLOGY}. */
public final class TopologyObserverProvider implements ObserverProvider {
    /** Nimbus asks ZooKeeper for each answer. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    /** A setting that Storm knows and has no default of. */
    private static final String LOGIN = "java.security.auth.login.config";

    private static final int MAX_PORT = 65_535;

    @Override
    public String name() {
        return "storm";
    }

    @Override
    public String address() {
        return "HOST:PORT/TOPOLOGY";
    }

    @Override
    public Observation observe(String address, Map<String, String> settings, Duration atMost)
            throws InterruptedException {
        int slash = address.indexOf('/');
        String hostAndPort = slash < 0 ? address : address.substring(0, slash);
        String topology = slash < 0 ? "" : address.substring(slash + 1);
        int colon = hostAndPort.lastIndexOf(':');
        int port = colon < 0 ? -1 : port(hostAndPort.substring(colon + 1));
        if (colon < 1 || port < 1 || port > MAX_PORT) {
            throw new UsageException(
                    "a topology is storm=HOST:PORT/TOPOLOGY, where HOST:PORT is its Nimbus, not storm=" + address);
        }
        try (NimbusConnection nimbus = new NimbusConnection(hostAndPort.substring(0, colon), port, conf(settings))) {
            Clock clock = Clock.system();
            TopologyObserver observer =
                    nimbus.call(client -> new TopologyObserver(client, hostAndPort, topology, clock));
            watch(nimbus, observer, clock, atMost);
            return nimbus.call(observer::observation);
        }
    }

    private static void watch(NimbusConnection nimbus, TopologyObserver observer, Clock clock, Duration atMost)
            throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long beganNs = clock.nowNs();
        long longerNs = Math.max(atMost.toNanos(), observer.twoReports().toNanos());
        boolean running = true;
        while (running && clock.nowNs() - beganNs < (observer.hasSeenAnything() ? atMost.toNanos() : longerNs)) {
            running = !never.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS) && nimbus.call(observer::look);
        }
    }

    private static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static Map<String, Object> conf(Map<String, String> settings) {
        Map<String, Object> conf = Utils.readDefaultConfig();
        settings.forEach((name, value) -> {
            if (!conf.containsKey(name) && !name.equals(LOGIN)) {
                throw new UsageException(
                        "--set takes a setting of Storm's client, such as storm.thrift.transport, behind"
                                + " storm=, not " + name + "=…" + Suggestion.of(name, conf.keySet()));
            }
        });
        conf.putAll(settings);
        return conf;
    }
}
