// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** The desk of a job whose tasks are in the JVM that started it. */
final class LocalDesk implements Desk {
    private static final Map<String, LocalDesk> BY_JOB = new ConcurrentHashMap<>();

    private final String job;
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final BlockingQueue<Note> notes = new LinkedBlockingQueue<>();
    private volatile HostedOrders orders;
    private volatile boolean cancelled;

    /** Known under the name of the job until {@link #forget}. */
    LocalDesk(String job, HostedOrders orders) {
        this.job = job;
        this.orders = orders;
        BY_JOB.put(job, this);
    }

    static LocalDesk find(String job) {
        LocalDesk desk = BY_JOB.get(job);
        if (desk == null) {
            throw new IllegalStateException("the job has ended");
        }
        return desk;
    }

    BlockingQueue<Note> notes() {
        return notes;
    }

    void cancel() {
        cancelled = true;
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
    public void tell(Note note) {
        notes.add(note);
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public ClassLoader loader() {
        return loader;
    }

    /** Others may still sit at it. */
    @Override
    public void close() {}
}
