// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The channel of a job whose tasks are in the JVM that started it. */
final class LocalControlChannel implements ControlChannel {
    private static final Map<String, LocalControlChannel> BY_JOB = new ConcurrentHashMap<>();

    private final String job;
    private final String topology;
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final BlockingQueue<ControlMessage> messages = new LinkedBlockingQueue<>();

    /** The client and each task of the job. */
    private final Phaser users = new Phaser(1);

    /** Threads of closed tasks that had not come back from a call. */
    private final Set<Thread> lingering = ConcurrentHashMap.newKeySet();

    private volatile HostedOrders orders;
    private volatile boolean cancelled;
    private volatile boolean ending;

    /** Registers the channel under the id of the job until {@link #forget}. */
    LocalControlChannel(String job, String topology, HostedOrders orders) {
        this.job = job;
        this.topology = topology;
        this.orders = orders;
        BY_JOB.put(job, this);
    }

    /** Returns the channel for a task, which must close it once. */
    static LocalControlChannel find(String job) {
        LocalControlChannel channel = BY_JOB.get(job);
        if (channel == null) {
            throw new IllegalStateException("the job has ended");
        }
        channel.users.register();
        return channel;
    }

    BlockingQueue<ControlMessage> messages() {
        return messages;
    }

    void cancel() {
        cancelled = true;
    }

    /** The topology is being killed: tasks that close from now on are not failures. */
    void beginEnd() {
        ending = true;
    }

    /** Waits until all tasks have closed it, with a limit: Storm may have made a task without opening it. */
    void awaitLeft(long atMostMs) throws InterruptedException {
        try {
            users.awaitAdvanceInterruptibly(users.arrive(), atMostMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // they do not need it any more
        }
    }

    /** True if a task of the job may still write: its thread, which Storm has interrupted, has not come back from a call. */
    boolean lingers() {
        return lingering.stream().anyMatch(Thread::isAlive);
    }

    @Override
    public void lingers(Thread thread) {
        lingering.add(thread);
    }

    void forget() {
        BY_JOB.remove(job);
    }

    @Override
    public HostedOrders orders() {
        return orders;
    }

    @Override
    public void post(HostedOrders next) {
        orders = next;
    }

    @Override
    public boolean begunBefore() {
        return orders.version() > 0;
    }

    @Override
    public void send(ControlMessage message) {
        messages.add(message);
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public ClassLoader loader() {
        return loader;
    }

    /** If a task closes while the job runs, its worker was killed, which a LocalCluster does not notice. */
    @Override
    public void close() {
        if (!ending) {
            messages.add(ControlMessage.lost(topology));
        }
        users.arriveAndDeregister();
    }
}
