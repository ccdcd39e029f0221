// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.whatif;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as a network of queues.
 *
 * @param stations in the order in which records pass them
 * @param links between them
 * @param threads that tasks of stations share which share any
 * @param cores for all of them, and for other processes
 * @param others cores that other processes keep busy; null if unknown
 * @param arrivals records of sources per second that there are to be read; infinite if a source always has more
 * @param mostPending records of sources that may be on their way at a time; 0 if there is no limit
 * @param pendingSeconds how long a record is on its way, as observed with such a limit; 0 if there is none
 * @param queueBatches room of a queue
 * @param batchRecords of a full batch
 */
public record Network(
        List<Station> stations,
        List<Link> links,
        int threads,
        int cores,
        @Nullable Double others,
        double arrivals,
        long mostPending,
        double pendingSeconds,
        int queueBatches,
        int batchRecords) {
    /** Room of a queue of the embedded engine, if nobody says otherwise. */
    public static final int QUEUE_BATCHES = 16;

    /** Records of a full batch of the embedded engine, if nobody says otherwise. */
    public static final int BATCH_RECORDS = 512;

    /**
     * What it takes to hand a record over, sender and receiver together, if this was not observed: GroupingBenchmark hands
     * about 100 million records a second from one busy thread to another.
     */
    static final double TYPICAL_HAND_OVER_NS = 20;

    private static final double NS = 1e9;

    /** What a batch costs by itself, in records: an estimate. */
    private static final double BATCH_COST = 16;

    public Network {
        stations = List.copyOf(stations);
        links = List.copyOf(links);
    }

    /** Cores that are left for the job. */
    double ownCores() {
        return others == null ? cores : cores - others;
    }

    Station stationOf(String operator) {
        return stations.stream()
                .filter(station -> station.has(operator))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no operator '" + operator + "'"));
    }

    /** Time of a station's tasks for a record of a source, with what its links take. */
    double occupiedNs(Station station) {
        return station.occupiedNs() + linksNs(station);
    }

    double computingNs(Station station) {
        return station.computingNs() + linksNs(station);
    }

    /**
     * Records of sources per second that the hottest keys allow, whatever the number of tasks: all records of a key go to one task.
     * Infinite if no hot key was observed.
     */
    double mostByKeys() {
        double most = Double.POSITIVE_INFINITY;
        for (Station station : stations) {
            double hottest = 0;
            double ns = 0;
            for (Station.Step step : station.steps()) {
                hottest = step.keys() == null ? hottest : step.keys().hottestShare();
                ns += hottest * (step.occupiedNs() + linksNs(step));
            }
            most = ns <= 0 ? most : Math.min(most, NS / ns);
        }
        return most;
    }

    private double linksNs(Station.Step step) {
        double ns = 0;
        for (Link link : links) {
            ns += step.operator().equals(link.from()) ? link.sendingNs() : 0;
            ns += step.operator().equals(link.to()) ? link.takingNs() : 0;
        }
        return ns;
    }

    private double linksNs(Station station) {
        return station.steps().stream().mapToDouble(this::linksNs).sum();
    }

    /** What handing a record over costs, sender and receiver together, from what was observed if that says anything. */
    double handOverNs() {
        double records = links.stream().mapToDouble(Link::records).sum();
        double cost = links.stream().mapToDouble(Link::costNs).sum();
        return records <= 0 || cost <= 0 ? TYPICAL_HAND_OVER_NS : cost / records;
    }

    boolean knowsHandOver() {
        return links.stream().anyMatch(link -> link.costNs() > 0);
    }

    Network with(List<Station> otherStations, List<Link> otherLinks) {
        return new Network(
                otherStations,
                otherLinks,
                threads,
                cores,
                others,
                arrivals,
                mostPending,
                pendingSeconds,
                queueBatches,
                batchRecords);
    }

    Network withTasks(String operator, int tasks) {
        List<Station> changed = new ArrayList<>();
        List<Link> more = new ArrayList<>(links);
        for (Station station : stations) {
            int at = 0;
            while (at < station.steps().size()
                    && !station.steps().get(at).operator().equals(operator)) {
                at++;
            }
            if (at == station.steps().size() || station.tasks() == tasks) {
                changed.add(station);
            } else if (at == 0) {
                changed.add(station.withTasks(tasks));
            } else {
                changed.add(station.until(at));
                changed.add(station.from(at).withTasks(tasks));
                more.add(newLink(station, at, station.visits()));
            }
        }
        return with(changed, more);
    }

    Network withAllTasks(int tasks) {
        return with(stations.stream().map(station -> station.withTasks(tasks)).toList(), links);
    }

    private Link newLink(Station station, int before, double records) {
        double half = handOverNs() * records / 2;
        return new Link(
                station.steps().get(before - 1).operator(),
                station.steps().get(before).operator(),
                records,
                half,
                half,
                true);
    }

    /** Every operator in tasks of its own. */
    Network apart() {
        List<Station> changed = new ArrayList<>();
        List<Link> more = new ArrayList<>(links);
        for (Station station : stations) {
            for (int step = 0; step < station.steps().size(); step++) {
                Station own = step == 0 ? station : station.from(step);
                changed.add(own.until(1));
                if (step > 0) {
                    more.add(newLink(station, step, station.visits()));
                }
            }
        }
        return with(changed, more);
    }

    /** Without the links that need not be. What is fused is also compiled as one, which saves about as much again: an estimate. */
    Network fused() {
        Network network = this;
        for (Link link : links) {
            if (link.needless()) {
                network = network.without(link);
            }
        }
        return network;
    }

    private Network without(Link link) {
        Station from = stationOf(link.from());
        Station to = stationOf(link.to());
        if (from.equals(to) || from.tasks() != to.tasks()) {
            return this;
        }
        List<Station> changed = new ArrayList<>(stations);
        changed.set(changed.indexOf(from), from.and(to, link.costNs()));
        changed.remove(to);
        return with(changed, links.stream().filter(each -> !each.equals(link)).toList());
    }

    Network withThreads(int number) {
        return new Network(
                stations,
                links,
                number,
                cores,
                others,
                arrivals,
                mostPending,
                pendingSeconds,
                queueBatches,
                batchRecords);
    }

    /** Other processes have as many of them as before, and of fewer cores a part that is as large. */
    Network withCores(int number) {
        Double remaining = others == null || number >= cores ? others : Double.valueOf(others * number / cores);
        return new Network(
                stations,
                links,
                threads,
                number,
                remaining,
                arrivals,
                mostPending,
                pendingSeconds,
                queueBatches,
                batchRecords);
    }

    Network withArrivals(double perSecond) {
        return new Network(
                stations,
                links,
                threads,
                cores,
                others,
                perSecond,
                mostPending,
                pendingSeconds,
                queueBatches,
                batchRecords);
    }

    Network withPending(long most) {
        return new Network(
                stations, links, threads, cores, others, arrivals, most, pendingSeconds, queueBatches, batchRecords);
    }

    Network withQueues(int batches) {
        return new Network(
                stations, links, threads, cores, others, arrivals, mostPending, pendingSeconds, batches, batchRecords);
    }

    Network withBatches(int records) {
        double factor = (1 + BATCH_COST / records) / (1 + BATCH_COST / batchRecords);
        return new Network(
                stations,
                links.stream().map(link -> link.times(factor)).toList(),
                threads,
                cores,
                others,
                arrivals,
                mostPending,
                pendingSeconds,
                queueBatches,
                records);
    }

    /** The same with links that cost another amount. */
    Network withLinks(double factor) {
        return with(stations, links.stream().map(link -> link.times(factor)).toList());
    }
}
