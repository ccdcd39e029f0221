// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.LatencyBudget;
import io.thalweg.doctor.finding.LatencyPart;
import io.thalweg.doctor.observation.Ages;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the latency of a job of the embedded engine consists of. The engine takes the age of a batch's first record, when all of the
 * batch is done, for the age of each of its records; a record's age begins when it was due or, of a source that keeps no rate, when
 * the read began that brought it. The parts are those of such an age.
 */
public final class Latency {
    private static final String EMBEDDED = "embedded";
    private static final String SOURCE_WAIT = "source wait";
    private static final String QUEUE = "queue";
    private static final String SERVICE = "service";
    private static final String BATCHING = "batching";
    private static final String UNREAD = "unread";
    private static final String COMMIT = "commit";

    /** The state of a sink that commits what it has written when a checkpoint is complete. */
    private static final String WRITER = "writer";

    private static final double NS_PER_US = 1e3;
    private static final double US_PER_MS = 1e3;
    private static final double US_PER_S = 1e6;
    private static final double NS_PER_S = 1e9;

    /** Of what was measured. Parts that differ from it by less explain it: two runs of the same job differ by as much. */
    private static final double EXPLAINED = Facts.MIN_GAIN - 1;

    /** Of the time, for which tasks were ready and had no thread, or collections stopped them: less does not show in a latency. */
    private static final double NOTABLE = 0.02;

    /** From the source to the end of a chain's queue. */
    private record Way(List<LatencyPart> parts, List<ChainFacts> chains) {
        Way and(ChainFacts chain, LatencyPart... more) {
            return new Way(
                    Stream.concat(parts.stream(), Stream.of(more)).toList(),
                    Stream.concat(chains.stream(), Stream.of(chain)).distinct().toList());
        }

        double us() {
            return parts.stream()
                    .map(LatencyPart::us)
                    .filter(Objects::nonNull)
                    .mapToDouble(Double::doubleValue)
                    .sum();
        }

        /** The slower of two. */
        Way or(@Nullable Way other) {
            return other != null && other.us() > us() ? other : this;
        }
    }

    private final Facts facts;

    private Latency(Facts facts) {
        this.facts = facts;
    }

    /** On the slowest way; null on other engines, or if no record has come to a sink. */
    public static @Nullable LatencyBudget of(Facts facts) {
        return facts.plan().runner().equals(EMBEDDED) ? new Latency(facts).budget() : null;
    }

    private @Nullable LatencyBudget budget() {
        Double mean = meanUs();
        Double measured = mean == null ? NetworkOf.latencyUs(facts) : mean;
        Way way = slowest();
        if (measured == null || way == null) {
            return null;
        }
        double restUs = measured - way.us();
        return new LatencyBudget(
                round(measured),
                mean == null ? "median" : "mean",
                way.parts(),
                round(way.us()),
                round(restUs),
                rest(way, measured, restUs),
                beyond(way));
    }

    /** Of the steady part. Little's law is one of means. */
    private @Nullable Double meanUs() {
        List<Ages> ages =
                facts.steady().stream().map(Span::ages).filter(Objects::nonNull).toList();
        long samples = ages.stream().mapToLong(Ages::samples).sum();
        double us = ages.stream().mapToDouble(Ages::sumUs).sum() / Math.max(1, samples);
        return samples == 0 || us > NetworkOf.MOST_LATENCY_US ? null : Double.valueOf(us);
    }

    private @Nullable Way slowest() {
        Map<ChainFacts, Way> ways = new LinkedHashMap<>();
        Way slowest = null;
        for (ChainFacts chain : facts.chains()) {
            Way way = chain.recordsIn() == 0
                    ? null
                    : facts.startsWithSource(chain)
                            ? new Way(List.of(), List.of()).and(chain, sourceWait(chain))
                            : into(chain, ways);
            if (way == null) {
                continue;
            }
            ways.put(chain, way);
            if (hasSink(chain)) {
                slowest = way.and(chain, atTheSink(chain)).or(slowest);
            }
        }
        return slowest;
    }

    /** The slowest way to a chain behind a queue; null if none of those before it has a record. */
    private @Nullable Way into(ChainFacts chain, Map<ChainFacts, Way> ways) {
        Way slowest = null;
        for (PlanInfo.Edge edge : facts.into(chain)) {
            for (Map.Entry<ChainFacts, Way> before : ways.entrySet()) {
                if (before.getKey().info().operators().contains(edge.from())) {
                    slowest = before.getValue()
                            .and(before.getKey(), service(before.getKey()), handOver(before.getKey(), edge, chain))
                            .and(chain, queue(chain))
                            .or(slowest);
                }
            }
        }
        return slowest;
    }

    private boolean hasSink(ChainFacts chain) {
        return chain.info().operators().stream()
                .anyMatch(name -> facts.operator(name).kind().equals("sink"));
    }

    private boolean hasSeveralSinks() {
        return facts.chains().stream().filter(this::hasSink).count() > 1;
    }

    private LatencyPart sourceWait(ChainFacts chain) {
        Double overdueUs = sum(chain.tasks().stream().map(TaskSpan::overdueUs).toList());
        return overdueUs == null
                ? unknown(chain, SOURCE_WAIT, "it was not observed when records were due")
                : part(
                        chain,
                        SOURCE_WAIT,
                        overdueUs / chain.recordsIn(),
                        String.format(Locale.ROOT, "%s overdue, %,d records", s(overdueUs), chain.recordsIn()));
    }

    /** Little's law: as many batches as there are, on average, come while one of them is there; a queue holds the one in progress, too. */
    private LatencyPart queue(ChainFacts chain) {
        Double batches = batches(chain);
        Double depth = depth(chain);
        if (batches == null || depth == null) {
            return unknown(chain, QUEUE, "batches were not counted");
        }
        double perSecond = batches * NS_PER_S / facts.lengthNs();
        double inProgressUs = chain.busyNs() / NS_PER_US / batches;
        return part(
                chain,
                QUEUE,
                Math.max(0, depth / perSecond * US_PER_S - inProgressUs),
                String.format(Locale.ROOT, "%.2f batches / %.1f a second, less the one in progress", depth, perSecond));
    }

    private LatencyPart service(ChainFacts chain) {
        return part(
                chain,
                SERVICE,
                serviceUs(chain),
                String.format(Locale.ROOT, "busy %s, %,d records", s(chain.busyNs() / NS_PER_US), chain.recordsIn()));
    }

    private static double serviceUs(ChainFacts chain) {
        return chain.busyNs() / NS_PER_US / chain.recordsIn();
    }

    /**
     * Until a batch is handed over. A task hands all over before it waits for input, so a batch fills only while its sender is busy,
     * or held back by another queue. Of a larger batch or read, earlier batches are handed over meanwhile.
     */
    private LatencyPart handOver(ChainFacts from, PlanInfo.Edge edge, ChainFacts to) {
        Double batches = batches(to);
        Double taken = batches(from);
        if (batches == null || taken == null) {
            return unknown(from, BATCHING, "batches were not counted");
        }
        double batch = to.recordsIn() / batches;
        double along = (double) to.recordsIn() / facts.into(to).size();
        int queues = edge.grouping().equals("forward") ? 1 : Facts.reading(to).size();
        double busyUs = from.busyNs() / NS_PER_US;
        double heldUs = queues == 1
                ? 0
                : from.tasks().stream().mapToLong(TaskSpan::heldBackNs).sum() / NS_PER_US;
        double apartUs = (busyUs + heldUs) / (isStateful(from) ? Math.max(along, (double) from.recordsIn()) : along);
        double earlier = Math.max(0, along / taken - batch * queues) / 2;
        return part(
                from,
                BATCHING,
                (batch - 1) * queues * apartUs + earlier * busyUs / along,
                String.format(
                        Locale.ROOT,
                        "batches of %.1f records, %d %s from each task",
                        batch,
                        queues,
                        queues == 1 ? "queue" : "queues"));
    }

    /** What emits less than it takes, such as a window, emits it together. */
    private boolean isStateful(ChainFacts chain) {
        return chain.info().operators().stream()
                .anyMatch(name -> facts.operator(name).stateful());
    }

    private LatencyPart[] atTheSink(ChainFacts chain) {
        LatencyPart service = service(chain);
        Double batches = batches(chain);
        if (waitsForAnswers(chain)) { // they leave it one by one
            return new LatencyPart[] {service};
        }
        return new LatencyPart[] {
            service,
            batches == null
                    ? unknown(chain, BATCHING, "batches were not counted")
                    : part(
                            chain,
                            BATCHING,
                            (chain.recordsIn() / batches - 1) * serviceUs(chain),
                            String.format(
                                    Locale.ROOT,
                                    "batches of %.1f records are done together",
                                    chain.recordsIn() / batches))
        };
    }

    private boolean waitsForAnswers(ChainFacts chain) {
        return facts.operator(chain.head()).kind().contains("async");
    }

    /** Of batches in all queues before a chain, when somebody looked; null if unknown. */
    private @Nullable Double depth(ChainFacts chain) {
        Double depths = sum(facts.steady().stream()
                .flatMap(span -> span.tasks().stream())
                .filter(task -> task.operators().equals(chain.info().operators()))
                .map(TaskSpan::queueDepth)
                .toList());
        return depths == null ? null : Double.valueOf(depths / facts.steady().size());
    }

    private static @Nullable Double batches(ChainFacts chain) {
        Double batches = sum(chain.tasks().stream().map(TaskSpan::batchesIn).toList());
        return batches == null || batches == 0 ? null : batches;
    }

    /** Null if one is unknown. */
    private static @Nullable Double sum(List<@Nullable Long> figures) {
        double sum = 0;
        for (Long figure : figures) {
            if (figure == null) {
                return null;
            }
            sum += figure.doubleValue();
        }
        return sum;
    }

    private String rest(Way way, double measuredUs, double restUs) {
        if (Math.abs(restUs) <= EXPLAINED * measuredUs) {
            return "the parts explain what was measured";
        }
        if (restUs < 0) {
            return "the parts are more than what was measured: queues were looked at "
                    + facts.steady().size() + " times only, batches are taken to fill evenly"
                    + (hasSeveralSinks() ? ", and records of other sinks were measured, too" : "");
        }
        List<String> known = new ArrayList<>();
        if (hasSeveralSinks()) {
            known.add("records of other sinks were measured, too");
        }
        if (way.parts().stream().anyMatch(each -> each.us() == null)) {
            known.add("parts that are not known");
        }
        for (ChainFacts chain : way.chains()) {
            if (waitsForAnswers(chain)) {
                known.add("answers that '" + chain.head() + "' waits for");
            }
            double unscheduled = unscheduled(chain);
            if (unscheduled >= NOTABLE) {
                known.add("tasks of '" + chain.head() + "' waited for a thread for " + percent(unscheduled)
                        + " of the time");
            }
        }
        if (facts.gcShare() >= NOTABLE) {
            known.add("collections stopped all tasks for " + percent(facts.gcShare()) + " of the time");
        }
        return known.isEmpty()
                ? "not explained by anything that was measured"
                : "not explained; part of it may be: " + String.join("; ", known);
    }

    /** The share of their time in which tasks were neither busy nor waiting nor held back: another had their thread. */
    private double unscheduled(ChainFacts chain) {
        double told = chain.tasks().stream()
                .mapToDouble(task -> (double) task.busyNs() + task.waitingNs() + task.heldBackNs())
                .sum();
        return Math.max(0, 1 - told / ((double) facts.lengthNs() * chain.tasks().size()));
    }

    private List<LatencyPart> beyond(Way way) {
        List<LatencyPart> beyond = new ArrayList<>();
        ChainFacts source = way.chains().get(0);
        if (source.tasks().stream().anyMatch(task -> task.lag() != null)) {
            double unread = facts.unread(source);
            double perSecond = source.recordsIn() * NS_PER_S / facts.lengthNs();
            beyond.add(part(
                    source,
                    UNREAD,
                    unread / perSecond * US_PER_S,
                    String.format(Locale.ROOT, "%,.0f not read / %,.1f read a second", unread, perSecond)));
        }
        ChainFacts last = way.chains().get(way.chains().size() - 1);
        if (commits(last)) {
            beyond.add(commit(last));
        }
        return beyond;
    }

    private boolean commits(ChainFacts chain) {
        return facts.observation().checkpoints().stream()
                .flatMap(checkpoint -> checkpoint.states().stream())
                .anyMatch(state -> state.name().equals(WRITER)
                        && chain.info().operators().contains(state.operator())
                        && facts.operator(state.operator()).kind().equals("sink"));
    }

    /** A record comes at any time between two checkpoints, and is committed when the next one is complete. */
    private LatencyPart commit(ChainFacts chain) {
        List<CheckpointStats> taken = facts.observation().checkpoints();
        CheckpointStats first = taken.get(0);
        CheckpointStats last = taken.get(taken.size() - 1);
        if (last.number() == first.number()) {
            return unknown(chain, COMMIT, "only one checkpoint was seen");
        }
        double apartUs = (last.beganMs() - first.beganMs()) * US_PER_MS / (last.number() - first.number());
        double tookUs =
                taken.stream().mapToLong(CheckpointStats::tookMs).average().orElse(0) * US_PER_MS;
        return part(
                chain,
                COMMIT,
                apartUs / 2 + tookUs,
                String.format(
                        Locale.ROOT,
                        "half of %s from checkpoint to checkpoint, and %s for one",
                        s(apartUs),
                        s(tookUs)));
    }

    private static LatencyPart part(ChainFacts chain, String part, double us, String from) {
        return new LatencyPart(name(chain), part, round(us), from);
    }

    private static LatencyPart unknown(ChainFacts chain, String part, String why) {
        return new LatencyPart(name(chain), part, null, why);
    }

    private static String name(ChainFacts chain) {
        return String.join("+", chain.info().operators());
    }

    private static String s(double us) {
        return String.format(Locale.ROOT, "%.3f s", us / US_PER_S);
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    private static double round(double us) {
        return Math.round(us * 100) / 100.0;
    }
}
