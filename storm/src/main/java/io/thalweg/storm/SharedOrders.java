// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.trident.topology.state.TransactionalState;
import org.jspecify.annotations.Nullable;

/**
 * The orders of a job in Storm's ZooKeeper, for all of its tasks in a worker: with a connection for each task they would be too many, since
 * ZooKeeper takes 60 of a machine. Any thread may call.
 */
final class SharedOrders {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** After ZooKeeper was away. */
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

    /** Those that are open; guarded by itself. */
    private static final Map<Key, SharedOrders> OPEN = new HashMap<>();

    private record Key(
            String job,
            String folder,
            @Nullable Object servers,
            @Nullable Object port) {}

    private final Key key;
    private final TransactionalState state;

    /** Guarded by {@link #OPEN}. */
    private int users;

    /** One thread looks at a time, so that a ZooKeeper that is away holds up one task. */
    private final AtomicBoolean looking = new AtomicBoolean();

    private volatile long dueNs;
    private volatile HostedOrders orders;

    private SharedOrders(Key key, JobDescriptor descriptor, Map<String, Object> conf) {
        this.key = key;
        state = TransactionalState.newCoordinatorState(conf, key.folder);
        orders = HostedOrders.first(descriptor.last());
        dueNs = HostedPlan.nowNs();
    }

    /** @param folder in ZooKeeper; each user closes what this gives once */
    static SharedOrders of(JobDescriptor descriptor, String folder, Map<String, Object> conf) {
        Key key = new Key(
                descriptor.job(),
                folder,
                conf.get(Config.STORM_ZOOKEEPER_SERVERS),
                conf.get(Config.STORM_ZOOKEEPER_PORT));
        synchronized (OPEN) {
            SharedOrders shared = OPEN.get(key);
            if (shared == null) {
                shared = new SharedOrders(key, descriptor, conf);
                OPEN.put(key, shared);
            }
            shared.users++;
            return shared;
        }
    }

    /** Whether any were given. */
    boolean exist() {
        return state.getData(key.job) != null;
    }

    /** The newest; those that are known as long as ZooKeeper is away. */
    HostedOrders get() {
        if (HostedPlan.nowNs() - dueNs >= 0 && looking.compareAndSet(false, true)) {
            try {
                look();
            } finally {
                looking.set(false);
            }
        }
        return orders;
    }

    private void look() {
        try {
            if (state.getData(key.job) instanceof List<?> numbers) {
                List<Long> read = new ArrayList<>();
                numbers.forEach(each -> read.add(((Number) each).longValue()));
                take(HostedOrders.of(read));
            }
            dueNs = HostedPlan.nowNs() + LOOK_NS;
        } catch (RuntimeException e) {
            if (!isAway(e)) {
                throw e;
            }
            dueNs = HostedPlan.nowNs() + AGAIN_NS;
        }
    }

    private synchronized void take(HostedOrders read) {
        if (read.version() >= orders.version()) {
            orders = read;
        }
    }

    /** Gives orders, to the tasks in this worker at once; false if ZooKeeper is away, and others do not hear of them. */
    boolean post(HostedOrders next) {
        take(next);
        try {
            state.setData(key.job, next.numbers());
            return true;
        } catch (RuntimeException e) {
            if (!isAway(e)) {
                throw e;
            }
            return false;
        }
    }

    List<String> attempts() {
        return state.list("");
    }

    void delete(String attempt) {
        state.delete(attempt);
    }

    /** Not if the worker is being ended. */
    private static boolean isAway(RuntimeException thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof KeeperException.ConnectionLossException
                    || each instanceof KeeperException.SessionExpiredException
                    || each instanceof KeeperException.OperationTimeoutException) {
                return !TaskHost.stopping(thrown);
            }
        }
        return false;
    }

    void close() {
        synchronized (OPEN) {
            if (--users == 0) {
                OPEN.remove(key);
                state.close();
            }
        }
    }
}
