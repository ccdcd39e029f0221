// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.trident.topology.state.TransactionalState;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a job on a remote cluster. Orders are in Storm's ZooKeeper, which all workers can reach; messages to
 * the client go through Nimbus's blob store, for which the client needs only the address of Nimbus.
 */
final class ClusterControlChannel implements ControlChannel {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final String job;
    private final String before;
    private final Map<String, Object> conf;
    private final TransactionalState shared;
    private HostedOrders orders;
    private long lookedNs;
    private long askedNs;
    private boolean cancelled;
    private final boolean begunBefore;
    private final MessageBatches messages;
    private @Nullable BlobStoreMailbox mailbox;

    ClusterControlChannel(JobDescriptor descriptor, Map<String, Object> conf) {
        job = descriptor.job();
        before = descriptor.before();
        this.conf = conf;
        orders = HostedOrders.first(descriptor.last());
        shared = TransactionalState.newCoordinatorState(conf, folder(descriptor));
        lookedNs = HostedPlan.nowNs() - LOOK_NS;
        begunBefore = shared.getData(job) != null;
        messages = new MessageBatches(begunBefore, HostedPlan.nowNs(), this::mailbox);
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

    private BlobStoreMailbox mailbox() {
        BlobStoreMailbox open = mailbox;
        if (open == null) {
            open = BlobStoreMailbox.ofWorker(conf, job);
            mailbox = open;
        }
        return open;
    }

    @Override
    public boolean begunBefore() {
        return begunBefore;
    }

    @Override
    public void send(ControlMessage message) {
        messages.send(message, HostedPlan.nowNs());
        while (messages.isFull()
                && !message.endsJob()) { // as where a job prints much while Nimbus is away: it waits, too
            LockSupport.parkNanos(LOOK_NS);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("the worker ends, and messages wait for Nimbus");
            }
            messages.sendIfDue(HostedPlan.nowNs());
        }
    }

    @Override
    public void sendWaiting() {
        messages.sendIfDue(HostedPlan.nowNs());
    }

    @Override
    public boolean cancelled() {
        long nowNs = HostedPlan.nowNs();
        if (!cancelled && nowNs - askedNs >= ASK_NS) {
            askedNs = nowNs;
            cancelled = mailbox().cancelled();
        }
        return cancelled;
    }

    @Override
    public ClassLoader loader() {
        return Thread.currentThread().getContextClassLoader();
    }

    @Override
    public void close() {
        shared.close();
        BlobStoreMailbox open = mailbox;
        if (open != null) {
            open.close();
        }
    }
}
