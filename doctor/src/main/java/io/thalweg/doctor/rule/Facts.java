// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.HotSpot;
import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.ProcessSpan;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What rules ask of an observation: totals of its steady part, by chain and by operator. */
public final class Facts {
    /** Until then code is interpreted; the engine does not count slow calls before, either. */
    private static final long WARM_UP_NS = 1_000_000_000;

    /** With fewer spans left, the beginning is judged too. */
    private static final int FEWEST_SPANS = 3;

    /**
     * A task that is busy for this share of the time is what others wait for: in queueing theory, the queue before it is
     * six records long on average then, and grows fast from there. Flink's autoscaler takes 0.8.
     */
    static final double SATURATED = 0.85;

    /** A gain that is smaller is within what two runs of the same job differ by. */
    static final double MIN_GAIN = 1.1;

    private final Observation observation;
    private final List<Span> steady;
    private final long lengthNs;
    private final double steadyShare;
    private final Advice advice;
    private final List<ChainFacts> chains = new ArrayList<>();
    private final Map<String, OperatorProfile> profiles = new HashMap<>();
    private final ShortWaits shortWaits;

    /** @throws IllegalArgumentException if there are no spans, or tasks and plan do not fit together */
    public Facts(Observation observation) {
        this.observation = observation;
        advice = Advice.of(observation);
        List<Span> all = observation.spans();
        List<Span> warm =
                all.stream().filter(span -> span.fromNs() >= WARM_UP_NS).toList();
        steady = warm.size() >= FEWEST_SPANS ? warm : all;
        lengthNs = steady.stream().mapToLong(Span::lengthNs).sum();
        steadyShare = (double) lengthNs / all.stream().mapToLong(Span::lengthNs).sum();
        judged().forEach(profile -> profiles.put(profile.operator(), profile));
        Map<List<String>, List<TaskSpan>> tasks = new HashMap<>();
        totals(steady)
                .forEach(task -> tasks.computeIfAbsent(task.operators(), operators -> new ArrayList<>())
                        .add(task));
        for (PlanInfo.Chain chain : observation.plan().chains()) {
            List<TaskSpan> own = tasks.get(chain.operators());
            if (own != null) {
                chain.operators().forEach(this::operator);
                chains.add(new ChainFacts(chain, own, lengthNs));
            }
        }
        if (chains.isEmpty()) {
            throw new IllegalArgumentException("no task of the plan was observed");
        }
        shortWaits = ShortWaits.of(this);
    }

    private static List<TaskSpan> totals(List<Span> spans) {
        Map<String, TaskSpan> totals = new LinkedHashMap<>();
        for (Span span : spans) {
            for (TaskSpan task : span.tasks()) {
                totals.merge(task.task(), task, TaskSpan::and);
            }
        }
        return List.copyOf(totals.values());
    }

    Observation observation() {
        return observation;
    }

    Advice advice() {
        return advice;
    }

    PlanInfo plan() {
        return observation.plan();
    }

    /** Spans after the warm-up, or all if the job was short. */
    List<Span> steady() {
        return steady;
    }

    long lengthNs() {
        return lengthNs;
    }

    /** When the observation ended, since the job was first started. */
    long endNs() {
        return observation.spans().get(observation.spans().size() - 1).toNs();
    }

    List<ChainFacts> chains() {
        return chains;
    }

    /** What an engine tells of whole tasks only: their chains are operators of the plan, and nobody samples within them. */
    boolean chainsAreOperators() {
        return profiles.isEmpty()
                && chains.stream().allMatch(chain -> chain.info().operators().size() == 1);
    }

    /** Whether it is known where the time within tasks goes: they are operators, or somebody sampled. */
    boolean knowsOperators() {
        return !profiles.isEmpty() || chainsAreOperators();
    }

    /** No task shares its thread with another: then only cores are shared. */
    boolean haveOwnThreads() {
        return chains.stream().noneMatch(ChainFacts::sharesThreads);
    }

    /** No task did anything that was measured. */
    boolean didNothing() {
        return chains.stream().flatMap(chain -> chain.tasks().stream()).noneMatch(TaskSpan::isTimed);
    }

    /** Totals of a task over all spans, the warm-up included. */
    TaskSpan whole(TaskSpan task) {
        return totals(observation.spans()).stream()
                .filter(each -> each.task().equals(task.task()))
                .findFirst()
                .orElse(task);
    }

    boolean startsWithSource(ChainFacts chain) {
        return operator(chain.head()).kind().equals("source");
    }

    PlanInfo.Operator operator(String name) {
        return plan().operators().stream()
                .filter(operator -> operator.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the plan has no operator '" + name + "'"));
    }

    /** The operator of the plan that a failure says it happened in; null if it names none. */
    @Nullable String operatorIn(@Nullable String failure) {
        return failure == null
                ? null
                : plan().operators().stream()
                        .map(PlanInfo.Operator::name)
                        .filter(name -> failure.contains("operator '" + name + "'"))
                        .min(Comparator.comparingInt(name -> failure.indexOf("operator '" + name + "'")))
                        .orElse(null);
    }

    /** Records go from one operator to another, over others too. */
    boolean leads(String from, String to) {
        Set<String> reached = new LinkedHashSet<>(Set.of(from));
        int before = 0;
        while (before < reached.size()) {
            before = reached.size();
            plan().edges().stream()
                    .filter(edge -> reached.contains(edge.from()))
                    .map(PlanInfo.Edge::to)
                    .toList()
                    .forEach(reached::add);
        }
        return reached.contains(to);
    }

    /** Edges that lead into a chain from other tasks. */
    List<PlanInfo.Edge> into(ChainFacts chain) {
        return plan().edges().stream()
                .filter(edge -> !edge.fused() && edge.to().equals(chain.head()))
                .toList();
    }

    /** Of keys that were looked at: with fewer, shares are known to a twentieth at most. */
    private static final long FEWEST_SAMPLES = 400;

    /** How keys divide the records that come to an operator; null if it has none, or too few were looked at. */
    @Nullable KeyShares keys(String operator) {
        KeyShares keys = KeyShares.together(observation.edges().stream()
                .filter(edge -> edge.to().equals(operator))
                .distinct()
                .map(EdgeTotals::keys)
                .filter(Objects::nonNull)
                .toList());
        return keys.samples() < FEWEST_SAMPLES ? null : keys;
    }

    /** The same of an operator of a chain, or of the one before it that has keys: its records stay with them. */
    @Nullable KeyShares keys(ChainFacts chain, String operator) {
        KeyShares keys = null;
        for (String each : chain.info().operators()) {
            KeyShares own = keys(each);
            keys = own == null ? keys : own;
            if (each.equals(operator)) {
                break;
            }
        }
        return keys;
    }

    /**
     * Samples that rules judge by. Those of a topology of Storm are not among them: they say which code an executor runs, and what the
     * rules for samples advise, a topology of Storm cannot do.
     */
    List<OperatorProfile> judged() {
        return observation.storm() == null ? observation.operators() : List.of();
    }

    /** Which code an operator runs; null if nobody sampled it. */
    @Nullable OperatorProfile sampled(String operator) {
        return observation.operators().stream()
                .filter(profile -> profile.operator().equals(operator))
                .findFirst()
                .orElse(null);
    }

    @Nullable OperatorProfile profile(String operator) {
        return profiles.get(operator);
    }

    /** A share of samples less its sampling error: the lower end of the 95 % interval to one side, by the normal approximation. */
    static double leastShare(long part, long all) {
        double share = (double) part / Math.max(1, all);
        return share - 1.64 * Math.sqrt(share * Math.max(0, 1 - share) / Math.max(1, all));
    }

    /** In which the operator stood still within calls, over the steady part, by all its tasks. */
    double blockedNs(String operator) {
        return recordedNs(operator) + shortWaits.ns(operator);
    }

    double blockedNs(ChainFacts chain) {
        double blocked =
                chain.info().operators().stream().mapToDouble(this::blockedNs).sum();
        return Math.min(blocked, (double) chain.busyNs());
    }

    /** Of the time that it stood still, in calls that were recorded one by one. */
    double recordedNs(String operator) {
        OperatorProfile profile = profiles.get(operator);
        return profile == null ? 0 : profile.blockedNs() * steadyShare;
    }

    /** Most of the time that it stood still was in calls too short to be recorded. */
    boolean waitsBriefly(String operator) {
        return shortWaits.ns(operator) > recordedNs(operator);
    }

    /** The part of the observation that is steady; what was sampled is of all of it. */
    double steadyShare() {
        return steadyShare;
    }

    /** Over the steady part, about: samples are taken over the whole observation. */
    double steadySamples(String operator) {
        return samples(operator) * steadyShare;
    }

    /** Useful time of an operator: of the busy time of its chain, what it blocked and its part of the samples of the rest. */
    double usefulNs(ChainFacts chain, String operator) {
        long all = 0;
        for (String each : chain.info().operators()) {
            all += samples(each);
        }
        double running = chain.busyNs() - blockedNs(chain);
        double blocked = Math.min(blockedNs(operator), (double) chain.busyNs());
        if (all == 0 && chain.info().operators().size() == 1) {
            return chain.busyNs();
        }
        return all == 0 ? blocked : blocked + running * samples(operator) / all;
    }

    private long samples(String operator) {
        OperatorProfile profile = profiles.get(operator);
        return profile == null ? 0 : profile.samples() + profile.handOverSamples();
    }

    long allSamples() {
        return ackSamples()
                + plan().operators().stream()
                        .mapToLong(operator -> samples(operator.name()))
                        .sum();
    }

    /** Of all samples, those of threads that tracked which records are done. */
    long ackSamples() {
        return profiles.values().stream()
                .mapToLong(profile -> {
                    Long acks = profile.ackSamples();
                    return acks == null ? 0 : acks;
                })
                .sum();
    }

    /** CPU time of collections over the steady part: where nobody tells, each of them keeps all cores busy. */
    double gcCpuNs() {
        return steady.stream()
                .flatMap(span -> span.processes().stream())
                .mapToDouble(process -> {
                    Long known = process.gcCpuNs();
                    return known == null ? (double) process.gcNs() * process.cores() : known;
                })
                .sum();
    }

    /**
     * Of all samples, those that are surely for records: in users' code, and what it calls, in tracking records and in passing them on.
     * The others may be in saving state. 0 if nobody sampled.
     */
    double recordShare() {
        long others = profiles.values().stream()
                .flatMap(profile -> profile.hot().stream())
                .filter(spot -> spot.method().isEmpty())
                .mapToLong(HotSpot::samples)
                .sum();
        long all = allSamples();
        return all == 0 ? 0 : Math.max(0, (double) (all - others) / all);
    }

    /** Its tasks have state to save; if the engine does not tell which do, each may. */
    boolean savesState(ChainFacts chain) {
        boolean told = plan().operators().stream().anyMatch(PlanInfo.Operator::stateful);
        return !told
                || chain.info().operators().stream()
                        .anyMatch(name -> operator(name).stateful());
    }

    /** Of the time. A source that has more to read waits for its input for moments only. */
    private static final double MIN_WAITING = 0.2;

    /** All tasks of sources that read something wait for more: nothing of the job itself holds it back. */
    boolean keepsUp() {
        List<TaskSpan> reading = chains.stream()
                .filter(this::startsWithSource)
                .flatMap(chain -> chain.tasks().stream())
                .filter(task -> task.recordsIn() > 0)
                .toList();
        return !arePendingFull()
                && !reading.isEmpty()
                && reading.stream().allMatch(task -> task.waitingNs() >= MIN_WAITING * lengthNs);
    }

    /** Of its time: then a task has less to do than to wait. */
    private static final double MOSTLY_WAITING = 0.5;

    static List<TaskSpan> reading(ChainFacts chain) {
        return chain.tasks().stream().filter(task -> task.recordsIn() > 0).toList();
    }

    /** What is there for a chain that reads and it has not read, at the end of a span on average, in the unit of the source. */
    double unread(ChainFacts chain) {
        return steady.stream()
                        .flatMap(span -> span.tasks().stream())
                        .filter(task -> task.operators().equals(chain.info().operators()))
                        .mapToLong(Facts::unread)
                        .sum()
                / (double) steady.size();
    }

    private static long unread(TaskSpan task) {
        Long lag = task.lag();
        return lag == null ? 0 : lag;
    }

    /** Of the time: input that ends has no backlog in the end. */
    private static final double MOSTLY_BACKLOG = 0.6;

    /** A source's tasks wait for most of the time, although there is more to read than they read in a span. */
    boolean waitsBesideBacklog(ChainFacts chain) {
        List<TaskSpan> reading = reading(chain);
        return startsWithSource(chain)
                && !arePendingFull()
                && !areWorkersFull()
                && !isAnySaturated()
                && !reading.isEmpty()
                && reading.stream()
                        .allMatch(task -> task.waitingNs() >= MOSTLY_WAITING * lengthNs
                                && backlogNs(task.task()) >= MOSTLY_BACKLOG * lengthNs);
    }

    private double backlogNs(String task) {
        return steady.stream()
                .filter(span -> span.tasks().stream()
                        .anyMatch(each -> each.task().equals(task) && unread(each) > each.recordsIn()))
                .mapToDouble(span -> (double) span.toNs() - span.fromNs())
                .sum();
    }

    /** How much faster the job could be if cores were all that it lacks; what other processes use stays theirs. */
    double roomOnCores() {
        return cores() / Math.max(Math.max(usedCores(), machineLoad() * cores()), 0.01);
    }

    /** Of all samples, those of threads that passed records on or took them. */
    double handOverShare() {
        long passing = profiles.values().stream()
                .mapToLong(OperatorProfile::handOverSamples)
                .sum();
        return (double) passing / Math.max(1, allSamples());
    }

    /** The operator of a chain that takes most of its time. */
    String dominant(ChainFacts chain) {
        String dominant = chain.head();
        for (String operator : chain.info().operators()) {
            dominant = usefulNs(chain, operator) > usefulNs(chain, dominant) ? operator : dominant;
        }
        return dominant;
    }

    /** As many as threads if the engine tells nothing of processes. */
    int cores() {
        return knowsCores() ? newest().stream().mapToInt(ProcessSpan::cores).sum() : Math.max(1, plan().workers());
    }

    /** The engine tells of processes: otherwise nobody knows whether cores are idle. */
    boolean knowsCores() {
        return !newest().isEmpty();
    }

    List<ProcessSpan> newest() {
        return steady.get(steady.size() - 1).processes();
    }

    /** How many cores all processes used. */
    double usedCores() {
        return (double) processes(ProcessSpan::cpuNs) / lengthNs;
    }

    /** The share of the time in which garbage collections stopped the tasks. */
    double gcShare() {
        return knowsCores() ? (double) processes(ProcessSpan::gcNs) / lengthNs / newest().size() : 0;
    }

    private long processes(ToLongFunction<ProcessSpan> counter) {
        return steady.stream()
                .flatMap(span -> span.processes().stream())
                .mapToLong(counter)
                .sum();
    }

    /** The most of the whole machine that anybody kept busy, on average over the spans; 0 if unknown. */
    double machineLoad() {
        return steady.stream()
                .flatMap(span -> span.processes().stream())
                .mapToDouble(process -> {
                    Double load = process.machineLoad();
                    return load == null ? 0 : load;
                })
                .average()
                .orElse(0);
    }

    /** Of a machine's cores. What is less, the system does by the way, or was not measured so well. */
    private static final double MIN_OTHERS = 0.05;

    /** Cores that other processes keep busy; null if nobody tells how busy the machine is. */
    @Nullable Double othersCores() {
        boolean told = steady.stream()
                .flatMap(span -> span.processes().stream())
                .anyMatch(process -> process.machineLoad() != null);
        double others = machineLoad() * cores() - usedCores();
        return told ? Double.valueOf(others < MIN_OTHERS * cores() ? 0 : others) : null;
    }

    /** Threads that tasks could share: as many as there are now, or one for each core if more tasks would get more. */
    int workers() {
        int tasks = chains.stream()
                .filter(ChainFacts::sharesThreads)
                .mapToInt(chain -> chain.tasks().size())
                .sum();
        return tasks > plan().workers() ? plan().workers() : Math.max(plan().workers(), cores());
    }

    /** Shared threads that tasks kept busy. */
    double busyWorkers() {
        return chains.stream()
                .filter(ChainFacts::sharesThreads)
                .mapToDouble(ChainFacts::busyThreads)
                .sum();
    }

    /** The most tasks that are worth a thought for a chain: twice as many if nobody knows what there is room for. */
    int mostTasks(ChainFacts chain) {
        if (!haveOwnThreads()) {
            return workers();
        }
        int twice = 2 * chain.tasks().size();
        if (!knowsCores()) {
            return twice;
        }
        int most = Math.max(cores(), (int) slots());
        return observation.storm() == null
                ? most
                : Math.max(most, twice); // an executor may wait, and need no core for it
    }

    /** Threads that run tasks, for which cores are enough at the same time. */
    int threads() {
        return haveOwnThreads()
                ? Math.max(1, (int) chains.stream()
                        .flatMap(chain -> chain.tasks().stream())
                        .filter(TaskSpan::isTimed)
                        .count())
                : Math.min(workers(), cores());
    }

    /** There is at least half a thread to spare, or half a core if tasks share only these. */
    boolean hasIdleWorker() {
        if (haveOwnThreads()) {
            return !knowsCores() || usedCores() <= cores() - 0.5;
        }
        return busyWorkers() <= Math.min(workers(), cores()) - 0.5;
    }

    /** Other processes, or this one, leave no core idle. */
    boolean isMachineFull() {
        return machineLoad() >= CROWDED || usedCores() >= SATURATED * cores();
    }

    /** How much faster the job could be if nothing limited it but the number of its threads, and no call stood still. */
    double roomOnWorkers() {
        if (haveOwnThreads()) {
            return knowsCores() ? cores() / Math.max(usedCores(), 0.01) : Double.MAX_VALUE;
        }
        return Math.min(workers(), cores()) / Math.max(busyWorkers() - blockedWorkers(), 0.01);
    }

    /** Shared threads that stood still within calls. */
    double blockedWorkers() {
        return chains.stream()
                .filter(ChainFacts::sharesThreads)
                .mapToDouble(chain -> blockedNs(chain) / lengthNs)
                .sum();
    }

    /** Every shared thread is busy, or every core if tasks share only these. */
    boolean areWorkersFull() {
        if (haveOwnThreads()) {
            return knowsCores() && usedCores() >= SATURATED * cores();
        }
        return busyWorkers() >= SATURATED * Math.min(workers(), cores());
    }

    /** Sources are held back, and no task behind them is busy all the time: passing records on takes the time. */
    boolean waitsForHandOver() {
        boolean held = chains.stream()
                .filter(this::startsWithSource)
                .flatMap(chain -> chain.tasks().stream())
                .anyMatch(task -> task.heldBackNs() > MIN_HELD * lengthNs);
        return held && !areWorkersFull() && chains.stream().allMatch(chain -> chain.busy(chain.busiest()) < SATURATED);
    }

    /** Some operator has no task that is not busy all the time, or has one that others wait for. */
    boolean isAnySaturated() {
        return chains.stream().anyMatch(chain -> chain.busy(chain.busiest()) >= SATURATED);
    }

    /** Adds how much of what tasks share is left. */
    void addSpare(Findings finding) {
        if (haveOwnThreads() && knowsCores()) {
            finding.figure("cores used", usedCores(), "of " + cores());
        } else if (!haveOwnThreads()) {
            finding.figure("threads busy", busyWorkers(), "of " + workers());
        }
    }

    /** Adds how long operators before a chain are held back, if that is notable. */
    void addHeldBack(Findings finding, ChainFacts chain) {
        for (PlanInfo.Edge edge : into(chain)) {
            double held = chains.stream()
                    .filter(each -> each.info().operators().contains(edge.from()))
                    .flatMap(each -> each.tasks().stream())
                    .mapToDouble(task -> (double) task.heldBackNs() / lengthNs)
                    .average()
                    .orElse(0);
            if (held > MIN_HELD) {
                finding.share("of the time '" + edge.from() + "' held back", held);
            }
        }
    }

    /** Of the time. A source that waits for its input is held back for a moment now and then, too. */
    private static final double MIN_HELD = 0.2;

    /**
     * How much of the cores that it could use the process got. If others keep the machine busy, everything takes longer by
     * this, pauses for collections included.
     */
    double share() {
        double could = Math.min(
                cores(),
                Math.max(
                        0.01,
                        chains.stream().mapToDouble(ChainFacts::busyThreads).sum()
                                - chains.stream()
                                        .mapToDouble(chain -> blockedNs(chain) / lengthNs)
                                        .sum()));
        return machineLoad() < CROWDED ? 1 : Math.min(1, usedCores() / could);
    }

    /** Of all cores of the machine. */
    private static final double CROWDED = 0.9;

    /** Of the records that may be pending: sources stop and go all the time. */
    private static final double MIN_FULL = 0.8;

    /** How many records of a source task may be pending; 0 if the job is not acked, or any number may be. */
    long maxPending() {
        return Math.max(number(option("max-pending")), setting("topology.max.spout.pending"));
    }

    /** Of all TaskManagers of a cluster of Flink; 0 elsewhere. */
    long slots() {
        return number(option("slots"));
    }

    /** Room of a queue in batches, if the job has another than the default one; 0 otherwise. */
    long queueBatches() {
        return number(option("queue"));
    }

    /** Records of a full batch, if the job has others than the default ones; 0 otherwise. */
    long batchRecords() {
        return number(option("batch"));
    }

    /** A setting of Storm's that is a number; 0 if it is not set. */
    long setting(String name) {
        String value = option(name);
        return value.isEmpty() || !value.chars().allMatch(Character::isDigit) || value.length() > 9
                ? 0
                : Long.parseLong(value);
    }

    /** The number that words begin with; 0 if there is none. */
    private static long number(String words) {
        int blank = words.indexOf(' ');
        return blank < 0 ? 0 : Long.parseLong(words.substring(0, blank));
    }

    /** Tasks of sources that have read something; all of them if none has. */
    long sourceTasks() {
        List<TaskSpan> tasks = chains.stream()
                .filter(this::startsWithSource)
                .flatMap(chain -> chain.tasks().stream())
                .toList();
        long reading =
                tasks.stream().filter(task -> whole(task).recordsIn() > 0).count();
        return reading == 0 ? tasks.size() : reading;
    }

    /** Records that were sent and not acked, on average. */
    double pending() {
        return steady.stream()
                .mapToLong(span -> {
                    Long pending = span.pendingAcks();
                    return pending == null ? 0 : pending;
                })
                .average()
                .orElse(0);
    }

    /** Sources have sent about as many records as may be pending. */
    boolean arePendingFull() {
        long most = maxPending() * sourceTasks();
        return most > 0 && pending() >= MIN_FULL * most;
    }

    /** The value of an option of the whole job, in the plan's words; empty if it is not set. */
    String option(String name) {
        return plan().options().stream()
                .filter(option -> option.operator().isEmpty() && option.name().equals(name))
                .map(PlanInfo.Option::value)
                .findFirst()
                .orElse("");
    }

    long recordsIn() {
        return steady.stream().mapToLong(Span::recordsIn).sum();
    }
}
