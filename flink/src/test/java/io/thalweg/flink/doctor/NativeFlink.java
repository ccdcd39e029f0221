// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.flink.FlinkRest;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** A cluster within this JVM that Thalweg knows nothing of but its REST port. */
final class NativeFlink implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int SLOTS = 8;

    private final MiniCluster cluster;

    private NativeFlink(MiniCluster cluster) {
        this.cluster = cluster;
    }

    static NativeFlink start() throws Exception {
        Configuration options = new Configuration();
        options.set(RestOptions.BIND_PORT, "0");
        options.set(RestOptions.ADDRESS, LOOPBACK);
        options.set(RestOptions.BIND_ADDRESS, LOOPBACK);
        options.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
        options.set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofSeconds(1));
        options.set(RestOptions.ENABLE_FLAMEGRAPH, true);
        options.set(RestOptions.FLAMEGRAPH_NUM_SAMPLES, 100);
        options.set(RestOptions.FLAMEGRAPH_DELAY, Duration.ofMillis(20));
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(options)
                .setCommonBindAddress(LOOPBACK)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(SLOTS)
                .withRandomPorts()
                .build());
        cluster.start();
        return new NativeFlink(cluster);
    }

    String address() throws Exception {
        return LOOPBACK + ":" + cluster.getRestAddress().get().getPort();
    }

    FlinkRest rest() throws Exception {
        return new FlinkRest(HttpClient.newHttpClient(), "http", address());
    }

    JobID submit(JobGraph job) throws Exception {
        JobID id = cluster.submitJob(job).get().getJobID();
        CountDownLatch never = new CountDownLatch(1);
        while (cluster.getJobStatus(id).get() == JobStatus.INITIALIZING) {
            assertThat(never.await(50, TimeUnit.MILLISECONDS)).isFalse();
        }
        return id;
    }

    void cancel(JobID job) throws Exception {
        cluster.cancelJob(job).get();
        awaitEnd(job);
    }

    void awaitEnd(JobID job) throws Exception {
        cluster.requestJobResult(job).get();
    }

    @Override
    public void close() {
        try {
            cluster.close();
        } catch (Exception e) {
            throw new IllegalStateException("Flink does not stop", e);
        }
    }
}
