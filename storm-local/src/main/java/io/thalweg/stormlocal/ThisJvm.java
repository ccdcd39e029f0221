// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormlocal;

import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the topologies of a LocalCluster with the classes of whoever made it, as a test does; what is to be told goes to the log. */
final class ThisJvm implements Submissions.Host {
    private static final Logger LOG = LoggerFactory.getLogger("org.apache.storm.LocalCluster");

    @Override
    public StormDoor door(String name, StormTopology topology, Map<String, Object> conf) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? ClassLoader.getSystemClassLoader() : context;
        return StormDoor.of(name, topology, conf, resources(loader), loader);
    }

    /** Scripts of multilang components, as Storm's LocalCluster finds them; null if there are none, or if they are in a jar. */
    private static @Nullable Path resources(ClassLoader loader) {
        URL found = loader.getResource("resources");
        try {
            return found == null || !found.getProtocol().equals("file") ? null : Path.of(found.toURI());
        } catch (URISyntaxException e) {
            return null;
        }
    }

    @Override
    public StormRun start(StormDoor door, RunSettings settings) {
        return door.start(settings.withWarnings(LOG::warn));
    }

    @Override
    public Runnable opened(Submissions.Submitted its, RunSettings settings) {
        Thread waits = new Thread(() -> logFailure(its), "waits for topology " + its.name());
        waits.setDaemon(true);
        waits.start();
        return () -> {};
    }

    private static void logFailure(Submissions.Submitted its) {
        try {
            its.run().await();
        } catch (JobFailedException e) {
            LOG.error("topology '{}' failed", its.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void tell(String line) {
        LOG.info(line);
    }
}
