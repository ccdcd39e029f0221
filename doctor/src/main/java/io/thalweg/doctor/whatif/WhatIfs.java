// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.whatif;

import io.thalweg.doctor.finding.Change;
import io.thalweg.doctor.finding.Range;
import io.thalweg.doctor.finding.WhatIf;
import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.whatif.Changes.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Predicts what changes would bring. The same network and changes always lead to the same prediction. */
public final class WhatIfs {
    /** A prediction from rates is seldom better; the findings' gains have the same. */
    private static final double ERROR = 1.2;

    /** Two runs with the same settings differ by this. */
    private static final double NOISE = 1.05;

    /** What queues hold, and for how long, is known to this factor. */
    private static final double LATENCY_ERROR = 2;

    /** What handing over costs where it was not observed. */
    private static final double HAND_OVER_ERROR = 2;

    /** A job that does less than this of what its rates allow is limited by what the model does not know. */
    private static final double EXPLAINED = 0.7;

    private WhatIfs() {}

    /**
     * Predicts.
     *
     * @param network as observed
     * @param rate of records of sources per second, as observed; more than 0
     * @param latencyUs of half of the records, as observed; null if it was not
     * @throws IllegalArgumentException if a change cannot be made to this job; the message is one line
     */
    public static WhatIf of(Network network, double rate, @Nullable Double latencyUs, Changes changes) {
        Network after = changes.apply(network);
        List<String> notes = new ArrayList<>();
        boolean paced = !Double.isInfinite(network.arrivals());
        double explained = paced ? 1 : rate / new Prediction(network).rate();
        if (explained < EXPLAINED) {
            notes.add(
                    "the job does " + Math.round(explained * 100)
                            + " % of what its rates allow, so something slows it that is not in the model; it is taken to do so then, too");
        }
        double then = rate(after, explained);
        Range throughput = throughput(network, after, rate, then, explained);
        Prediction limit = new Prediction(scaled(after, explained));
        addNotes(notes, network, after, changes);
        return new WhatIf(
                list(network, after, changes),
                round(rate),
                throughput,
                latencyUs,
                latencyUs == null ? null : latency(network, after, explained, latencyUs),
                limit.limit(),
                notes);
    }

    /** Arrivals are what they are; all else is slower than the model by the same factor as before. */
    private static Network scaled(Network network, double explained) {
        return network.withArrivals(network.arrivals() / explained);
    }

    private static double rate(Network network, double explained) {
        return Math.min(network.arrivals(), explained * new Prediction(scaled(network, explained)).rate());
    }

    private static Range throughput(Network before, Network after, double rate, double then, double explained) {
        boolean same = Math.abs(then - rate) < rate * 0.01;
        double error = same ? NOISE : ERROR;
        double low = then / error;
        double high = most(after, then * error, explained);
        if (after.links().size() > before.links().size() || after.batchRecords() != before.batchRecords()) {
            low = Math.min(low, rate(after.withLinks(HAND_OVER_ERROR), explained) / error);
            Network cheaper = after.withLinks(1 / HAND_OVER_ERROR);
            high = Math.max(high, most(cheaper, rate(cheaper, explained) * error, explained));
        }
        high = Math.min(high, after.arrivals());
        return new Range(round(Math.min(low, then)), round(then), round(Math.max(high, then)));
    }

    /** The upper limit of a rate: no more than the hottest key allows, however wrong the model is otherwise. */
    private static double most(Network network, double rate, double explained) {
        return Math.min(rate, explained * network.mostByKeys());
    }

    private static Range latency(Network before, Network after, double explained, double observedUs) {
        double modelBefore = latencyUs(before, explained);
        double modelAfter = latencyUs(after, explained);
        double middle = modelBefore <= 0 || modelBefore > observedUs
                ? observedUs * (modelBefore <= 0 ? 1 : modelAfter / modelBefore)
                : observedUs + modelAfter - modelBefore;
        middle = Math.max(middle, 0);
        return new Range(round(middle / LATENCY_ERROR), round(middle), round(middle * LATENCY_ERROR));
    }

    private static double latencyUs(Network network, double explained) {
        Prediction prediction = new Prediction(scaled(network, explained));
        return (prediction.latencySeconds(0) + prediction.latencySeconds(1)) / 2 * 1e6;
    }

    private static List<Change> list(Network before, Network after, Changes changes) {
        return changes.names().stream()
                .map(name -> new Change(name, Changes.value(before, name), Changes.value(after, name)))
                .toList();
    }

    private static void addNotes(List<String> notes, Network before, Network after, Changes changes) {
        for (Station station : after.stations()) {
            boolean changed = before.stations().stream()
                    .noneMatch(each -> each.has(station.head()) && each.tasks() == station.tasks());
            if (changed && station.source()) {
                notes.add(
                        "takes for granted that '" + station.head() + "' has input for " + station.tasks() + " tasks");
            }
            Station.Step keyed = station.keyed();
            KeyShares keys = keyed == null ? null : keyed.keys();
            if (changed && keyed != null && keys != null && keys.hottestShare() * station.tasks() > 1) {
                notes.add(String.format(
                        Locale.ROOT,
                        "one key of '%s' has %.0f %% of the records: more tasks are at most %.2f times as fast as one",
                        keyed.operator(),
                        100 * keys.hottestShare(),
                        1 / keys.hottestShare()));
            } else if (changed
                    && keys == null
                    && before.stationOf(station.head()).isUneven()) {
                notes.add("'" + station.head()
                        + "' has a task that gets more than the others, and is taken to keep that part with "
                        + station.tasks() + (station.tasks() == 1 ? " task" : " tasks"));
            }
        }
        notes.addAll(ofOthers(after));
        if (after.links().size() > before.links().size()) {
            notes.add(String.format(
                    Locale.ROOT,
                    "a record that crosses a new queue costs %.0f ns, %s",
                    before.handOverNs(),
                    before.knowsHandOver()
                            ? "as it does at the others of this job"
                            : "as in the project's benchmarks"));
        }
        if ((changes.has(Setting.QUEUE) && before.queueBatches() == Network.QUEUE_BATCHES)
                || (changes.has(Setting.BATCH) && before.batchRecords() == Network.BATCH_RECORDS)) {
            notes.add("the observation names no other queue or batch; the job is taken to have run with the default");
        }
        if (changes.has(Setting.FUSE) && after.links().size() == before.links().size()) {
            notes.add("fuse changes nothing here");
        }
    }

    private static List<String> ofOthers(Network network) {
        Double others = network.others();
        if (others == null) {
            return List.of("whether other processes use the cores was not observed; they are taken not to");
        }
        return others == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "other processes keep %.2f of %d %s busy, and are taken to do so then, too",
                        others,
                        network.cores(),
                        network.cores() == 1 ? "core" : "cores"));
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
