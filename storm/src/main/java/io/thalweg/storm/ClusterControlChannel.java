// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a job on a remote cluster. Orders are in Storm's ZooKeeper, which all workers can reach; messages to
 * the client go through Nimbus's blob store, for which the client needs only the address of Nimbus.
 */
final class ClusterControlChannel implements ControlChannel {
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

    private final String job;
    private final String before;
    private final Map<String, Object> conf;
    private final SharedOrders shared;
    private final boolean begunBefore;

    /** Orders that ZooKeeper was away for; null if there are none. */
    private @Nullable HostedOrders unposted;

    private long unpostedNs;
    private boolean posted;
    private boolean closed;

    /** Null in all tasks but the watch bolt. */
    private @Nullable ClientLink client;

    ClusterControlChannel(JobDescriptor descriptor, Map<String, Object> conf) {
        job = descriptor.job();
        before = descriptor.before();
        this.conf = conf;
        SharedOrders opened = SharedOrders.of(descriptor, folder(descriptor), conf);
        boolean done = false;
        try {
            begunBefore = opened.exist();
            done = true;
        } finally {
            if (!done) {
                opened.close();
            }
        }
        shared = opened;
    }

    /** In ZooKeeper; one for all attempts, in which each has its orders under its id. */
    static String folder(JobDescriptor descriptor) {
        return "thalweg-" + descriptor.settings().run();
    }

    @Override
    public HostedOrders orders() {
        return shared.get();
    }

    /** The first ones must be there, for a watch bolt that follows; others are posted later while ZooKeeper is away. */
    @Override
    public void post(HostedOrders next) {
        boolean there = shared.post(next);
        if (!there && !posted) {
            throw new IllegalStateException("Storm's ZooKeeper does not answer");
        }
        posted = true;
        unposted = there ? null : next;
        unpostedNs = HostedPlan.nowNs();
    }

    private void postAgain() {
        HostedOrders next = unposted;
        if (next != null && HostedPlan.nowNs() - unpostedNs >= AGAIN_NS) {
            post(next);
        }
    }

    /** All but those of the attempt before: Storm may just be starting a worker of it again, which must find that it has begun. */
    @Override
    public void clean() {
        try {
            for (String attempt : shared.attempts()) {
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
        postAgain();
        return client().cancelled();
    }

    @Override
    public ClassLoader loader() {
        return Thread.currentThread().getContextClassLoader();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            shared.close();
        }
        ClientLink open = client;
        if (open != null) {
            open.close();
        }
    }
}
