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
    private static final String ORDERS = "orders";

    private final String job;
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
        this.conf = conf;
        orders = HostedOrders.first(descriptor.last());
        shared = TransactionalState.newCoordinatorState(conf, "thalweg-" + job);
        lookedNs = HostedPlan.nowNs() - LOOK_NS;
        begunBefore = shared.getData(ORDERS) != null;
        messages = new MessageBatches(begunBefore, HostedPlan.nowNs(), this::mailbox);
    }

    @Override
    public HostedOrders orders() {
        long nowNs = HostedPlan.nowNs();
        if (nowNs - lookedNs >= LOOK_NS) {
            lookedNs = nowNs;
            if (shared.getData(ORDERS) instanceof List<?> numbers) {
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
        shared.setData(ORDERS, next.numbers());
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
