// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** A cluster within this JVM that several jobs share. */
final class LocalFlink implements AutoCloseable {
    private static final int SLOTS = 16;

    private final ClusterConnection connection;

    private LocalFlink(ClusterConnection connection) {
        this.connection = connection;
    }

    private static final class Shared {
        static final LocalFlink FLINK = begin();

        static LocalFlink begin() {
            LocalFlink started = start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            return started;
        }
    }

    /** The one that all tests share, started for the first that needs it and stopped with their JVM; none may stop it. */
    static LocalFlink shared() {
        return Shared.FLINK;
    }

    /** One of a test's own. */
    static LocalFlink start() {
        return start(SLOTS);
    }

    static LocalFlink start(int slots) {
        return start(slots, new Configuration());
    }

    static LocalFlink start(int slots, Configuration settings) {
        return new LocalFlink(ClusterConnection.inThisJvm(slots, settings));
    }

    String address() {
        return connection.client().getWebInterfaceURL().replaceFirst("^https://", "");
    }

    FlinkRunner runner(RunSettings settings) {
        try {
            return new FlinkRunner(settings, address(), List.of(), false, ClusterKeys.ofThisJvm());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
