// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.whatif;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a network of queues does. Rates are bounded as in DS2: each task does one thing at a time, and threads and cores
 * are shared. Latency is the sum along the slowest way: a queue before a station that is not full is one of M/G/1, between
 * records that all take as long (M/D/1) and times that vary as much as those between random arrivals (M/M/1); the queues
 * before one that is full are full.
 */
final class Prediction {
    private static final double NS = 1e9;

    /** What limits a network. */
    enum Kind {
        STATION,
        THREADS,
        CORES,
        FETCHING,
        PENDING,
        ARRIVALS
    }

    private final Network network;
    private final Kind kind;
    private final double rate;
    private final @Nullable Station slowest;

    Prediction(Network network) {
        this.network = network;
        double best = network.arrivals();
        Kind by = Kind.ARRIVALS;
        Station least = null;
        double shared = 0;
        double computing = 0;
        for (Station station : network.stations()) {
            double occupied = network.occupiedNs(station);
            computing += network.computingNs(station);
            shared += station.sharesThreads() ? occupied : 0;
            double bound =
                    occupied <= 0 ? Double.POSITIVE_INFINITY : station.tasks() / station.imbalance() * NS / occupied;
            if (bound < best) {
                best = bound;
                by = Kind.STATION;
                least = station;
            }
            double fetched =
                    station.fetchNs() <= 0 ? Double.POSITIVE_INFINITY : station.tasks() * NS / station.fetchNs();
            if (fetched < best) {
                best = fetched;
                by = Kind.FETCHING;
                least = station;
            }
        }
        if (shared > 0 && network.threads() * NS / shared < best) {
            best = network.threads() * NS / shared;
            by = Kind.THREADS;
        }
        double ofCores = computing > 0 ? network.ownCores() * NS / computing : Double.POSITIVE_INFINITY;
        if (ofCores < best || (ofCores == best && by == Kind.THREADS)) {
            best = ofCores;
            by = Kind.CORES;
        }
        if (network.mostPending() > 0
                && network.pendingSeconds() > 0
                && network.mostPending() / network.pendingSeconds() < best) {
            best = network.mostPending() / network.pendingSeconds();
            by = Kind.PENDING;
        }
        rate = best;
        kind = by;
        slowest = by == Kind.STATION || by == Kind.FETCHING ? least : null;
    }

    /** Records of sources per second. */
    double rate() {
        return rate;
    }

    Kind kind() {
        return kind;
    }

    /** The share of its time for which a station's busiest task is busy. */
    double busy(Station station) {
        return Math.min(1, rate * network.occupiedNs(station) * station.imbalance() / NS / station.tasks());
    }

    String limit() {
        Station station = slowest;
        return switch (kind) {
            case STATION ->
                station == null
                        ? ""
                        : (station.tasks() == 1 ? "the task" : "the " + station.tasks() + " tasks") + " of '"
                                + station.head() + "', in which '" + station.dominant() + "' takes most of the time";
            case THREADS -> network.threads() + (network.threads() == 1 ? " thread" : " threads") + " that tasks share";
            case CORES -> cores();
            case FETCHING ->
                station == null ? "" : "what '" + station.head() + "' reads from: more is there, and comes no faster";
            case PENDING -> "acks: " + network.mostPending() + " records may be pending";
            case ARRIVALS -> "the source: no more than " + Math.round(network.arrivals()) + " records come a second";
        };
    }

    private String cores() {
        String all = network.cores() + (network.cores() == 1 ? " core" : " cores");
        return network.ownCores() < network.cores()
                ? String.format(Locale.ROOT, "%.2f of %s, which other processes leave", network.ownCores(), all)
                : all;
    }

    /**
     * Seconds from the source to the end of the slowest way.
     *
     * @param variation 0 if all records of an operator take as long, 1 if they vary as much as random arrivals
     */
    double latencySeconds(double variation) {
        Map<String, Double> until = new HashMap<>();
        Set<String> full = fullLinks();
        double longest = 0;
        for (Station station : network.stations()) {
            double arrived = 0;
            for (Link link : network.links()) {
                if (station.has(link.to())) {
                    Station from = network.stationOf(link.from());
                    double before = until.getOrDefault(from.head(), 0.0);
                    arrived = Math.max(
                            arrived, before + (full.contains(key(link)) ? fullSeconds(link, from, station) : 0));
                }
            }
            boolean stationIsFull =
                    network.links().stream().anyMatch(link -> station.has(link.to()) && full.contains(key(link)));
            double service = station.visits() <= 0 ? 0 : network.occupiedNs(station) / station.visits() / NS;
            double end = arrived + service + (stationIsFull ? 0 : waitSeconds(station, service, variation));
            until.put(station.head(), end);
            longest = Math.max(longest, end);
        }
        return longest;
    }

    /** Pollaczek and Khinchine: the wait before one task with random arrivals. */
    private double waitSeconds(Station station, double service, double variation) {
        double busy = Math.min(MOST_BUSY, busy(station));
        return station.source() && kind != Kind.ARRIVALS ? 0 : busy / (1 - busy) * service * (1 + variation) / 2;
    }

    /** By Little's law. */
    private double fullSeconds(Link link, Station from, Station to) {
        double passing = rate * link.records();
        double room = (double) from.tasks() * to.tasks() * network.queueBatches() * network.batchRecords();
        return passing <= 0 ? 0 : room / passing;
    }

    /** Those on the way to the station that limits all, and if cores or threads do, all: there they fill at random. */
    private Set<String> fullLinks() {
        Set<String> full = new HashSet<>();
        Station end = slowest;
        if (end != null) {
            Set<String> behind = new HashSet<>();
            behind.add(end.head());
            for (int i = network.stations().size() - 1; i >= 0; i--) {
                Station station = network.stations().get(i);
                if (behind.contains(station.head())) {
                    for (Link link : network.links()) {
                        if (station.has(link.to())) {
                            full.add(key(link));
                            behind.add(network.stationOf(link.from()).head());
                        }
                    }
                }
            }
        } else if (kind == Kind.CORES || kind == Kind.THREADS) {
            network.links().forEach(link -> full.add(key(link)));
        }
        return full;
    }

    private static String key(Link link) {
        return link.from() + "\n" + link.to();
    }

    /** A task that is always busy has a queue without end; here queues have one. */
    private static final double MOST_BUSY = 0.99;
}
