// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.run.Clock;
import io.thalweg.run.LostConnections;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.accumulators.Accumulator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The systems that one task of an operator lost, on their way to the client, and into Flink's log. Any thread may report. */
public final class ConnectionCounts implements Accumulator<ConnectionStats, ConnectionCounts.Seen> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionCounts.class);

    /** What there was so far. */
    public record Seen(ArrayList<ConnectionStats> systems) implements java.io.Serializable {}

    private final String operator;
    private final int task;

    /** Null where it has been sent to. */
    private final transient @Nullable LostConnections counting;

    private ArrayList<ConnectionStats> systems = new ArrayList<>();

    public ConnectionCounts(String operator, int task) {
        this(operator, task, new LostConnections(Clock.system(), LOG::warn));
    }

    private ConnectionCounts(String operator, int task, @Nullable LostConnections counting) {
        this.operator = operator;
        this.task = task;
        this.counting = counting;
    }

    public ConnectionReports reports() {
        return counting == null ? ConnectionReports.none() : counting.of(operator, task);
    }

    @Override
    public synchronized void add(ConnectionStats more) {
        systems.add(more);
    }

    @Override
    public synchronized Seen getLocalValue() {
        ArrayList<ConnectionStats> all = new ArrayList<>(systems);
        if (counting != null) {
            all.addAll(counting.stats(List.of(operator), task));
        }
        return new Seen(new ArrayList<>(ConnectionStats.merged(all)));
    }

    @Override
    public synchronized void resetLocal() {
        systems = new ArrayList<>();
    }

    @Override
    public void merge(Accumulator<ConnectionStats, Seen> other) {
        other.getLocalValue().systems().forEach(this::add);
    }

    @Override
    public Accumulator<ConnectionStats, Seen> clone() {
        ConnectionCounts copy = new ConnectionCounts(operator, task, null);
        copy.systems = getLocalValue().systems();
        return copy;
    }

    /** As of now. */
    private void writeObject(ObjectOutputStream out) throws IOException {
        synchronized (this) {
            ArrayList<ConnectionStats> own = systems;
            systems = getLocalValue().systems();
            try {
                out.defaultWriteObject();
            } finally {
                systems = own;
            }
        }
    }
}
