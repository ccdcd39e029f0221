// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.codec.ByteWriter;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.trident.topology.state.TransactionalState;
import org.jspecify.annotations.Nullable;

/**
 * The desk of a job on a real cluster. Orders lie in Storm's ZooKeeper, which all workers reach; notes go through Nimbus's blob
 * store, which whoever started the job reaches, too, and which needs no address but Nimbus's.
 */
final class ClusterDesk implements Desk {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SEND_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final String ORDERS = "orders";

    private final String job;
    private final Map<String, Object> conf;
    private final TransactionalState shared;
    private HostedOrders orders;
    private long lookedNs;
    private long askedNs;
    private long sentNs;
    private boolean cancelled;
    private final boolean begunBefore;
    private long sent;
    private final ByteWriter waiting = new ByteWriter(1024);
    private @Nullable BlobPost post;

    ClusterDesk(Cargo cargo, Map<String, Object> conf) {
        job = cargo.job();
        this.conf = conf;
        orders = HostedOrders.first(cargo.last());
        shared = TransactionalState.newCoordinatorState(conf, "thalweg-" + job);
        lookedNs = HostedPlan.nowNs() - LOOK_NS;
        begunBefore = shared.getData(ORDERS) != null;
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

    private BlobPost post() {
        BlobPost open = post;
        if (open == null) {
            open = new BlobPost(conf, job);
            post = open;
        }
        return open;
    }

    @Override
    public boolean begunBefore() {
        return begunBefore;
    }

    /** Several go together; what ends the job goes at once. */
    @Override
    public void tell(Note note) {
        note.writeTo(waiting);
        long nowNs = HostedPlan.nowNs();
        boolean last =
                note.kind() == Note.Kind.OVER || note.kind() == Note.Kind.FAILED || note.kind() == Note.Kind.LOST;
        if (note.kind() == Note.Kind.LOST && begunBefore) {
            post().putLost(waiting.toByteArray()); // who knows how many letters were sent is gone
        } else if (last || nowNs - sentNs >= SEND_NS) {
            sentNs = nowNs;
            post().put(sent++, waiting.toByteArray());
            waiting.clear();
        }
    }

    @Override
    public boolean cancelled() {
        long nowNs = HostedPlan.nowNs();
        if (!cancelled && nowNs - askedNs >= ASK_NS) {
            askedNs = nowNs;
            cancelled = post().cancelled();
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
        BlobPost open = post;
        if (open != null) {
            open.close();
        }
    }
}
