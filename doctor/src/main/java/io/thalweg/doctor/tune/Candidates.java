// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.finding.Range;
import io.thalweg.doctor.finding.WhatIf;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.whatif.Changes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What may help a job that was observed, the most promising first: what the doctor advises, then what his model predicts, both by
 * predicted gain; then what often helps and nobody can predict. The same observation always leads to the same candidates.
 */
final class Candidates {
    /** Of a prediction: less is not worth a trial before others. */
    private static final double LEAST_PREDICTED = 1.05;

    private static final double LATENCY_ERROR = 2;
    private static final int MOST_TASKS = 256;

    /** Of a queue and of a batch, by default, and the most that can be set. */
    private static final long QUEUE_BATCHES = 16;

    private static final long BATCH_RECORDS = 512;
    private static final long MOST_ROOM = 65_536;

    /**
     * Of the heap: collectors take all of it before they take more time than this finding allows (G1 one part in thirteen), so a job
     * that never has half of it in use is not short of room.
     */
    private static final double FILLED = 0.5;

    /** From so many megabytes on, they are told in gigabytes. */
    private static final long GIGABYTES = 10_000;

    private static final String ISOLATED = "' is isolated";
    private static final Pattern OPTION =
            Pattern.compile("--(parallelism|threads|max-pending|checkpoint-interval) (\\w+)");

    /** What Flink calls settings of Thalweg. */
    private static final Map<String, Setting> OF_FLINK =
            Map.of("-p", Setting.PARALLELISM, "execution.checkpointing.interval", Setting.CHECKPOINT_INTERVAL);

    private static final Pattern OPTION_OF_ENGINE = Pattern.compile("([\\w.-]+):? (\\w+)");

    private final Goal goal;
    private final Observation observation;
    private final Machine machine;
    private final List<Candidate> predicted = new ArrayList<>();
    private final List<Candidate> untold = new ArrayList<>();

    private Candidates(Goal goal, Observation observation, Machine machine) {
        this.goal = goal;
        this.observation = observation;
        this.machine = machine;
    }

    /** @return each change once, those that are settings already too; only of what can be set where the job runs */
    static List<Candidate> of(Goal goal, Observation observation, Machine machine) {
        return new Candidates(goal, observation, machine).all();
    }

    private List<Candidate> all() {
        for (Finding finding : Doctor.diagnose(observation).findings()) {
            advised(finding);
        }
        computed();
        if (goal.isLatency()) {
            forLatency();
        } else {
            forThroughput();
        }
        predicted.sort(Comparator.comparing(Candidates::isAdvice)
                .thenComparingDouble(Candidates::promise)
                .reversed());
        List<Candidate> all = new ArrayList<>(predicted);
        all.addAll(untold);
        List<Candidate> once = new ArrayList<>();
        for (Candidate each : all) {
            if (once.stream().noneMatch(other -> other.choice().equals(each.choice()))) {
                once.add(each);
            }
        }
        return once;
    }

    /** What the doctor found is seen in the figures; what his model computes may be limited by what it does not know. */
    private static boolean isAdvice(Candidate candidate) {
        return candidate.from().startsWith("doctor");
    }

    /** How much better it is to get, as a factor. */
    private static double promise(Candidate candidate) {
        Gain gain = candidate.predicted();
        if (gain == null) {
            return 1;
        }
        return gain.of().equals(Gain.THROUGHPUT) ? gain.middle() : 1 / gain.middle();
    }

    private void add(Choice choice, String from, String why, @Nullable Gain gain) {
        if (!machine.settings().contains(choice.name())) {
            return;
        }
        List<Candidate> all = gain == null ? untold : predicted;
        if (all.stream().noneMatch(each -> each.choice().equals(choice))) {
            all.add(new Candidate(choice, now(choice), from, why, gain));
        }
    }

    /** The value that the job has; null if it is not set, or is not known. */
    private @Nullable String now(Choice choice) {
        return switch (choice.setting()) {
            case THREADS -> String.valueOf(observation.plan().workers());
            case TASKS ->
                observation.plan().operators().stream()
                        .filter(operator -> operator.name().equals(choice.operator()))
                        .map(operator -> String.valueOf(operator.parallelism()))
                        .findFirst()
                        .orElse(null);
            case ISOLATE, SHUFFLE -> String.valueOf(!Boolean.parseBoolean(choice.value()));
            case QUEUE -> String.valueOf(option(choice.name(), QUEUE_BATCHES));
            case BATCH -> String.valueOf(option(choice.name(), BATCH_RECORDS));
            case HEAP -> size(machine.heapBytes());
            case COLLECTOR -> machine.collector().isEmpty() ? null : machine.collector();
            case MAX_PENDING, CHECKPOINT_INTERVAL -> option(choice.name());
            case BUFFER_TIMEOUT -> "100ms";
            case BUFFER_SIZE -> "32k";
            case FLOATING_BUFFERS -> "8";
            case PRODUCER_BATCH, ACKERS -> "1";
            case RECEIVE_BUFFER -> "32768";
            case PARALLELISM, IDLE -> null;
        };
    }

    // ---- what the doctor advises

    private void advised(Finding finding) {
        String from = "doctor: " + finding.rule();
        for (Choice choice : choices(finding)) {
            add(choice, from, finding.why(), gain(finding));
        }
    }

    /** What findings predict is of throughput; what it does to latency they do not say. */
    private @Nullable Gain gain(Finding finding) {
        return goal.isLatency() ? null : finding.predictedGain();
    }

    private List<Choice> choices(Finding finding) {
        String operator = finding.operator();
        String option = finding.option();
        Matcher matcher = OPTION.matcher(option == null ? "" : option);
        if (matcher.matches()) {
            return List.of(new Choice("", matcher.group(1), matcher.group(2)));
        }
        Choice ofEngine = option == null ? null : choiceOfEngine(option);
        if (ofEngine != null) {
            return List.of(ofEngine);
        }
        if (finding.rule().equals("garbage")) {
            return ofCollections(finding);
        }
        if (operator == null) {
            return List.of();
        }
        return switch (finding.rule()) {
            case "parallelism" -> moreTasks(operator, Math.min(MOST_TASKS, implied(finding)));
            case "few-splits" -> behindSource(operator);
            case "slow-task" -> isSource(operator) ? List.of() : List.of(Choice.of(operator, Setting.SHUFFLE, true));
            case "unfused-edge" ->
                observation.plan().edges().stream()
                        .filter(edge -> !edge.fused() && edge.to().equals(operator))
                        .flatMap(edge -> fusing(edge).stream())
                        .toList();
            default -> List.of();
        };
    }

    /**
     * Where collections take the time: another collector, and a larger heap if the job fills the one that it has. Neither makes objects
     * cheaper that cost little to collect.
     */
    private List<Choice> ofCollections(Finding finding) {
        List<Choice> choices = new ArrayList<>();
        if (finding.evidence().stream().noneMatch(figure -> figure.name().equals("of the time in collections"))) {
            return choices;
        }
        if (fullest() > FILLED) {
            choices.add(Choice.of(Setting.HEAP, size(2 * machine.heapBytes())));
        }
        if (!machine.collector().equals("parallel")) {
            choices.add(Choice.of(Setting.COLLECTOR, "parallel"));
        }
        return choices;
    }

    /** The most of its heap that a process had in use at the end of a span, with garbage. */
    private double fullest() {
        return observation.spans().stream()
                .flatMap(span -> span.processes().stream())
                .mapToDouble(process -> {
                    Long max = process.heapMaxBytes();
                    return (double) process.heapUsedBytes() / (max == null ? machine.heapBytes() : max);
                })
                .max()
                .orElse(0);
    }

    /** Of all operators alike, where nobody has looked into tasks: who knows which of their operators needs more. */
    private List<Choice> moreTasks(String operator, long tasks) {
        boolean alike = observation.plan().operators().stream()
                        .map(PlanInfo.Operator::parallelism)
                        .distinct()
                        .count()
                == 1;
        return List.of(
                alike && observation.operators().isEmpty()
                        ? Choice.of(Setting.PARALLELISM, tasks)
                        : Choice.of(operator, Setting.TASKS, tasks));
    }

    /** What an option of an engine sets; null if that is no setting. */
    private static @Nullable Choice choiceOfEngine(String option) {
        Matcher matcher = OPTION_OF_ENGINE.matcher(option);
        if (!matcher.matches()) {
            return null;
        }
        Setting setting = Stream.of(Setting.values())
                .filter(each -> each.key().equals(matcher.group(1)))
                .findFirst()
                .orElse(OF_FLINK.get(matcher.group(1)));
        return setting == null ? null : Choice.of(setting, matcher.group(2));
    }

    private static String size(long bytes) {
        long megabytes = Math.max(1, bytes / 1_000_000);
        return megabytes < GIGABYTES ? megabytes + "m" : megabytes / 1_000 + "g";
    }

    private static long implied(Finding finding) {
        return finding.evidence().stream()
                .filter(figure -> figure.name().startsWith("parallelism implied"))
                .mapToLong(figure -> (long) figure.value())
                .findFirst()
                .orElse(2);
    }

    private boolean isSource(String operator) {
        return observation.plan().edges().stream().noneMatch(edge -> edge.to().equals(operator));
    }

    /** A shuffle before what is behind a source with too few splits: before the operator that takes most of the time. */
    private List<Choice> behindSource(String source) {
        String slowest = observation.operators().stream()
                .filter(profile -> inChainOf(source, profile.operator())
                        && !profile.operator().equals(source))
                .max(Comparator.comparingLong(profile -> profile.samples()))
                .map(profile -> profile.operator())
                .orElse(null);
        return slowest == null ? List.of() : List.of(Choice.of(slowest, Setting.SHUFFLE, true));
    }

    private boolean inChainOf(String source, String operator) {
        return observation.plan().chains().stream()
                .anyMatch(chain ->
                        chain.operators().contains(source) && chain.operators().contains(operator));
    }

    /** What would fuse an edge. */
    private static List<Choice> fusing(PlanInfo.Edge edge) {
        if (edge.reason().endsWith(ISOLATED) && edge.reason().startsWith("'")) {
            String isolated = edge.reason().substring(1, edge.reason().length() - ISOLATED.length());
            return List.of(Choice.of(isolated, Setting.ISOLATE, false));
        }
        if (edge.grouping().equals("shuffle") && edge.tasksFrom() == edge.tasksTo()) {
            return List.of(Choice.of(edge.to(), Setting.SHUFFLE, false));
        }
        return List.of();
    }

    // ---- what his model predicts

    private void computed() {
        int cores = Math.min(MOST_TASKS, machine.cores());
        for (PlanInfo.Operator operator : observation.plan().operators()) {
            // an operator with the name of a setting: the model would change that
            if (operator.parallelism() < cores && !Changes.isSetting(operator.name())) {
                whatIf(operator.name() + "=" + cores, List.of(Choice.of(operator.name(), Setting.TASKS, cores)));
            }
        }
        if (observation.plan().workers() != cores) {
            whatIf("threads=" + cores, List.of(Choice.of(Setting.THREADS, cores)));
        }
        List<Choice> fusing = observation.plan().edges().stream()
                .filter(edge -> !edge.fused())
                .flatMap(edge -> fusing(edge).stream())
                .toList();
        if (fusing.stream().distinct().count() == 1) { // the prediction is of all of them together
            whatIf("fuse=on", fusing);
        }
        if (goal.isLatency() && hasQueues()) {
            whatIf("batch=" + fewerRecords(), List.of(Choice.of(Setting.BATCH, fewerRecords())));
            whatIf("queue=" + fewerBatches(), List.of(Choice.of(Setting.QUEUE, fewerBatches())));
        }
    }

    private void whatIf(String changes, List<Choice> choices) {
        if (choices.isEmpty()) {
            return;
        }
        Gain gain;
        try {
            Diagnosis diagnosis = Doctor.diagnose(observation, Changes.parse(changes));
            gain = gain(diagnosis.whatIf());
        } catch (IllegalArgumentException e) {
            return; // the model cannot say: nothing read, say
        }
        if (gain == null) {
            return;
        }
        double promise = gain.of().equals(Gain.THROUGHPUT) ? gain.middle() : 1 / gain.middle();
        if (promise >= LEAST_PREDICTED) {
            choices.forEach(choice -> add(choice, "what-if", "the doctor's model of the job says so", gain));
        }
    }

    private @Nullable Gain gain(@Nullable WhatIf whatIf) {
        if (whatIf == null) {
            return null;
        }
        if (!goal.isLatency()) {
            Range then = whatIf.predictedThroughput();
            return new Gain(
                    round(then.low() / whatIf.throughput()), round(then.high() / whatIf.throughput()), Gain.THROUGHPUT);
        }
        Double now = whatIf.latencyUs();
        Range then = whatIf.predictedLatencyUs();
        return now == null || then == null || now <= 0 || then.middle() <= 0
                ? null
                : new Gain(
                        round(then.middle() / now / LATENCY_ERROR),
                        round(then.middle() / now * LATENCY_ERROR),
                        goal.what());
    }

    private static double round(double factor) {
        return Math.round(factor * 100) / 100.0;
    }

    // ---- what often helps

    private boolean hasQueues() {
        return observation.plan().edges().stream().anyMatch(edge -> !edge.fused());
    }

    private long fewerRecords() {
        return Math.max(1, option("batch", BATCH_RECORDS) / 8);
    }

    private long fewerBatches() {
        return Math.max(2, option("queue", QUEUE_BATCHES) / 4);
    }

    /** What the job has now: the plan says what is not the default. */
    private long option(String name, long otherwise) {
        String value = option(name);
        String number = value == null ? "" : value.replaceFirst("\\D.*", "");
        return number.isEmpty() ? otherwise : Long.parseLong(number);
    }

    private @Nullable String option(String name) {
        return observation.plan().options().stream()
                .filter(option -> option.operator().isEmpty() && option.name().equals(name))
                .map(PlanInfo.Option::value)
                .findFirst()
                .orElse(null);
    }

    private boolean hasManyTasks() {
        return observation.plan().operators().stream().anyMatch(each -> each.parallelism() > 1);
    }

    private void forThroughput() {
        String from = "trial";
        observation.plan().edges().stream()
                .filter(edge -> !edge.fused())
                .flatMap(edge -> fusing(edge).stream())
                .forEach(choice -> add(choice, from, "what is fused needs no queue", null));
        if (!machine.collector().equals("parallel")) {
            add(Choice.of(Setting.COLLECTOR, "parallel"), from, "it costs the tasks less than G1 does", null);
        }
        if (hasQueues()) {
            long records = Math.min(MOST_ROOM, 4 * option("batch", BATCH_RECORDS));
            long batches = Math.min(MOST_ROOM, 4 * option("queue", QUEUE_BATCHES));
            add(Choice.of(Setting.BATCH, records), from, "fewer batches cross the queues", null);
            add(Choice.of(Setting.QUEUE, batches), from, "tasks wait less for each other", null);
            add(Choice.of(Setting.BUFFER_SIZE, "128k"), from, "fewer buffers are handed over", null);
            add(Choice.of(Setting.BUFFER_TIMEOUT, "1s"), from, "fewer buffers are sent before they are full", null);
            add(Choice.of(Setting.FLOATING_BUFFERS, 64), from, "tasks wait less for each other", null);
            add(Choice.of(Setting.PRODUCER_BATCH, 100), from, "tuples cross the queues together", null);
            add(Choice.of(Setting.RECEIVE_BUFFER, 131_072), from, "tasks wait less for each other", null);
        }
        if (observation.acks() != null && machine.cores() > 1) {
            add(Choice.of(Setting.ACKERS, Math.min(MOST_TASKS, machine.cores())), from, "acks share more cores", null);
        }
        if (hasQueues() && hasManyTasks()) {
            add(Choice.of(Setting.PARALLELISM, 1), from, "fewer records cross queues", null);
        }
    }

    private void forLatency() {
        String from = "trial";
        add(Choice.of(Setting.IDLE, "spin"), from, "a worker that polls need not be woken", null);
        if (hasQueues()) {
            add(Choice.of(Setting.BATCH, fewerRecords()), from, "records wait less for others of their batch", null);
            add(Choice.of(Setting.QUEUE, fewerBatches()), from, "fewer records wait before a task", null);
        }
        if (hasQueues() && hasManyTasks()) {
            add(Choice.of(Setting.PARALLELISM, 1), from, "fewer records cross queues", null);
        }
        add(Choice.of(Setting.COLLECTOR, "z"), from, "its pauses are short", null);
    }
}
