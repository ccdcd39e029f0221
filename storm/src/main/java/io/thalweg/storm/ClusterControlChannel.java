// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.trident.topology.state.TransactionalState;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a job on a remote cluster. Orders are in Storm's ZooKeeper, which all workers can reach; messages to
 * the client go through Nimbus's blob store, for which the client needs only the address of Nimbus.
 */
final class ClusterControlChannel implements ControlChannel {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final String job;
    private final String before;
    private final Map<String, Object> conf;
    private final TransactionalState shared;
    private HostedOrders orders;
    private long lookedNs;
    private final boolean begunBefore;

    /** Null in all tasks but the watch bolt. */
    private @Nullable ClientLink client;

    ClusterControlChannel(JobDescriptor descriptor, Map<String, Object> conf) {
        job = descriptor.job();
        before = descriptor.before();
        this.conf = conf;
        orders = HostedOrders.first(descriptor.last());
        shared = TransactionalState.newCoordinatorState(conf, folder(descriptor));
        lookedNs = HostedPlan.nowNs() - LOOK_NS;
        begunBefore = shared.getData(job) != null;
    }

    /** In ZooKeeper; one for all attempts, in which each has its orders under its id. */
    static String folder(JobDescriptor descriptor) {
        return "thalweg-" + descriptor.settings().run();
    }

    @Override
    public HostedOrders orders() {
        long nowNs = HostedPlan.nowNs();
        if (nowNs - lookedNs >= LOOK_NS) {
            lookedNs = nowNs;
            if (shared.getData(job) instanceof List<?> numbers) {
                List<Long> read = new ArrayList<>();
                numbers.forEach(each -> read.add(((Number) each).longValue()));
                orders = HostedOrders.of(read);
            }
        }
        return orders;
    }

    @Override
    public void post(HostedOrders next) {
        orders = next;
        shared.setData(job, next.numbers());
    }

    /** All but those of the attempt before: Storm may just be starting a worker of it again, which must find that it has begun. */
    @Override
    public void clean() {
        try {
            for (String attempt : shared.list("")) {
                if (!attempt.equals(job) && !attempt.equals(before)) {
                    shared.delete(attempt);
                }
            }
        } catch (RuntimeException e) {
            // they stay, or the next attempt removes them
        }
    }

    private ClientLink client() {
        ClientLink open = client;
        if (open == null) {
            open = new ClientLink(job, begunBefore, () -> BlobStoreMailbox.ofWorker(conf, job));
            client = open;
        }
        return open;
    }

    @Override
    public boolean begunBefore() {
        return begunBefore;
    }

    @Override
    public void send(ControlMessage message) {
        client().send(message);
    }

    @Override
    public boolean cancelled() {
        return client().cancelled();
    }

    @Override
    public ClassLoader loader() {
        return Thread.currentThread().getContextClassLoader();
    }

    @Override
    public void close() {
        shared.close();
        ClientLink open = client;
        if (open != null) {
            open.close();
        }
    }
}
