// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.doctor.compare.Difference;
import io.thalweg.doctor.observation.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tunes a job: has it run as it is, has the doctor judge it, tries the most promising change in pairs of runs without and with it, and
 * keeps it only if the gain is real and the output the same; then the next, until nothing is left to try or the budget is over. Knows
 * no process, file or clock: {@link Trials} do. For one thread.
 */
public final class Tuner {
    /** A job that ends earlier tells nothing. */
    private static final double LEAST_SECONDS = 0.1;

    /** A job must take less than this part of the budget, so that there is time for two runs and a verdict. */
    private static final int SHARE_OF_BUDGET = 10;

    /** A change with which the job takes this much longer than ever before is not waited for. */
    private static final int PATIENCE = 4;

    private static final String REACHED = "the job is below its limit";

    private static final Ruling TRYING = new Ruling(Step.Outcome.TRYING, "");

    private final Goal goal;
    private final Trials trials;
    private final Machine machine;
    private final Collection<Choice> withdrawnBefore;
    private final Consumer<TuneReport> onStep;
    private final Consumer<String> progress;

    private final Duration budget;
    private final List<Step> steps = new ArrayList<>();
    private final List<Choice> tried = new ArrayList<>();
    private final List<Choice> skipped = new ArrayList<>();
    private final List<TuneReport.Unfit> unfit = new ArrayList<>();
    private final Choices start;
    private TuneReport.@Nullable Reset reset;
    private Choices kept;
    private List<Output> outputs = List.of();
    /** The second run of the job as it is, which nothing watched. */
    private @Nullable Measured asItIs;

    private double before;
    private @Nullable Effect total;
    private String ended = "";
    private @Nullable String failure;

    /** The step that is under way. */
    private @Nullable Step trying;

    private int runs;

    /** That a run with what is kept took. What a change that lost took says nothing about the next one. */
    private Duration longest = Duration.ZERO;

    /** The same of the job as it was. */
    private Duration longestAtFirst = Duration.ZERO;

    /** The same of runs with the change that is tried. */
    private Duration longestWithChange = Duration.ZERO;

    /**
     * @param start settings to begin with: the job as it is
     * @param withdrawnBefore changes that earlier calls found useless for this job on this machine: they are not tried
     * @param onStep is given the report so far: once the job as it is was measured; before the first pair of a change and after each,
     *     with a last step of the outcome {@link Step.Outcome#TRYING}; and after each step
     * @param progress is told, in a line, what happens next
     */
    public Tuner(
            Goal goal,
            Trials trials,
            Machine machine,
            Choices start,
            Collection<Choice> withdrawnBefore,
            Consumer<TuneReport> onStep,
            Consumer<String> progress) {
        this.goal = goal;
        this.trials = trials;
        this.machine = machine;
        this.start = start;
        kept = start;
        this.withdrawnBefore = List.copyOf(withdrawnBefore);
        this.onStep = onStep;
        this.progress = progress;
        budget = trials.left();
    }

    /**
     * Does it all. An interrupt of a run ends it too, and is told in the report.
     *
     * @throws TuneException if the job cannot be tuned: it fails, ends at once or not at all, or its output is never the same
     */
    public TuneReport tune() {
        try {
            Observation observation = begin();
            if (goal.isLatency() && before < goal.limitUs()) {
                ended = "the job is below its limit already";
            } else {
                tryAll(withoutGiven(observation));
                compareAll();
            }
        } catch (InterruptedException e) {
            ended = "stopped by the user";
        }
        return report();
    }

    /**
     * What is known after {@link #tune}, or what it told, has thrown: the step that was under way is undecided.
     *
     * @param why it could not go on, in one line
     */
    public TuneReport failed(String why) {
        ended = "an error";
        failure = why;
        Step step = trying;
        return step == null ? report() : report(step.undecided("an error ended it before it was clear"));
    }

    // ---- the job as it is

    private Observation begin() throws InterruptedException {
        progress.accept("the job as it is, watched by the doctor");
        Duration atMost = longer(budget.dividedBy(SHARE_OF_BUDGET), trials.grace());
        Measured watched = run(start, true, atMost);
        check(watched);
        Observation observation = watched.observation();
        if (observation == null || observation.spans().isEmpty() || watched.seconds() < LEAST_SECONDS) {
            throw new TuneException("the job ends after " + number(watched.seconds())
                    + " s, which is too short to compare; give it more input, a few seconds at least");
        }
        outputs = watched.outputs();
        progress.accept("the job as it is, once more: is the output the same?");
        Measured again = run(start, false, atMost);
        check(again);
        if (again.seconds() < LEAST_SECONDS) {
            throw new TuneException("the job ends after " + number(again.seconds())
                    + " s, which is too short to compare; give it more input, a few seconds at least");
        }
        String other = difference(again);
        if (other != null) {
            throw new TuneException(
                    "two runs of the job as it is put out different records, so nobody can tell whether a change"
                            + " is safe: " + other
                            + "; is there a time or a random number in it, or does its input change?");
        }
        asItIs = again;
        before = goal.of(again);
        longestAtFirst = longest;
        onStep.accept(report());
        return observation;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void check(Measured run) {
        if (run.late()) {
            throw new TuneException("the job as it is did not end: " + run.failure()
                    + ", and there must be time for some runs of it; bound its input, with a setting of the job or .limit(n),"
                    + " or give a longer --budget");
        }
        if (run.failure() != null) {
            throw new TuneException("the job as it is does not run to its end: " + run.failure());
        }
        if (run.records() == 0) {
            throw new TuneException("the job reads no record, so there is nothing to tune");
        }
        if (goal.isLatency() && goal.of(run) <= 0) {
            throw new TuneException("no record of the job reaches a sink, so it has no latency");
        }
    }

    // ---- without what was given

    /**
     * Settings may hold a job back together, and no single change helps then: with batches of a few records more tasks are a loss, and
     * with one task larger batches gain nothing.
     *
     * @return what is seen of the job with what is kept
     */
    private Observation withoutGiven(Observation first) throws InterruptedException {
        List<Choice> leftOut =
                start.all().stream().filter(each -> !each.setting().isLimit()).toList();
        Choices with = new Choices(
                start.all().stream().filter(each -> each.setting().isLimit()).toList());
        if (leftOut.size() < 2 || isOverForARun() || trials.unfit(with) != null) {
            return first;
        }
        Pairs pairs = new Pairs();
        // Beside the run that has just ended: what was given may make runs so long that there is time for one or two.
        Ruling ruling = compare(with, "without what was given", pairs, () -> {}, asItIs);
        reset = new TuneReport.Reset(leftOut, pairs.effect(), outcome(ruling), ruling.reason());
        boolean pays = reset.outcome() == Step.Outcome.KEPT;
        if (pays) {
            keep(with);
        }
        onStep.accept(report());
        if (ended.isEmpty() && isReached(reset.outcome(), reset.measured())) {
            ended = REACHED;
        }
        Observation observation = pays && ended.isEmpty() && !isOver() ? observed() : null;
        return observation == null ? first : observation;
    }

    private void keep(Choices better) {
        kept = better;
        longest = longestWithChange; // there is time for more of them
    }

    // ---- changes

    private void tryAll(Observation first) throws InterruptedException {
        if (!ended.isEmpty()) {
            return;
        }
        List<Candidate> candidates = Candidates.of(goal, first, machine);
        Candidate next = next(candidates);
        while (next != null) {
            if (isOver()) {
                ended = "the budget is over";
                return;
            }
            tried.add(next.choice());
            Step step = tried(next);
            trying = null;
            steps.add(step);
            if (step.outcome() == Step.Outcome.KEPT) {
                keep(kept.with(next.choice()));
            }
            onStep.accept(report());
            if (!ended.isEmpty()) {
                return;
            }
            if (isReached(step.outcome(), step.measured())) {
                ended = REACHED;
                return;
            }
            if (step.outcome() == Step.Outcome.KEPT && !isOver()) {
                Observation observation = observed();
                candidates = observation == null ? candidates : Candidates.of(goal, observation, machine);
            }
            next = next(candidates);
        }
        ended = "nothing else to try";
    }

    private boolean isReached(Step.Outcome outcome, @Nullable Effect effect) {
        return goal.isLatency() && outcome == Step.Outcome.KEPT && effect != null && effect.after() < goal.limitUs();
    }

    /** Of the job with what is kept; null if that cannot be had. */
    private @Nullable Observation observed() throws InterruptedException {
        progress.accept("the job with what is kept, watched by the doctor");
        Measured run = run(kept, true, patience());
        Observation observation = run.observation();
        boolean seen = run.failure() == null
                && observation != null
                && !observation.spans().isEmpty();
        return seen ? observation : null;
    }

    /** The most promising change that was not tried yet and fits the job; null if there is none. */
    private @Nullable Candidate next(List<Candidate> candidates) {
        for (Candidate candidate : candidates) {
            Choice choice = candidate.choice();
            if (tried.contains(choice) || kept.all().contains(choice)) {
                continue;
            }
            if (withdrawnBefore.contains(choice)) {
                if (!skipped.contains(choice)) {
                    skipped.add(choice);
                }
                continue;
            }
            String why = trials.unfit(kept.with(choice));
            if (why == null) {
                return candidate;
            }
            if (unfit.stream().noneMatch(each -> each.choice().equals(choice))) {
                unfit.add(new TuneReport.Unfit(choice, why));
            }
        }
        return null;
    }

    /** The next pair would not end in time, nor a verdict. */
    private boolean isOver() {
        return trials.left().compareTo(longest.multipliedBy(2L * Ruling.LOOKS.get(0))) < 0;
    }

    private boolean isOverForARun() {
        return trials.left().compareTo(longest) < 0;
    }

    private boolean isOverForAPair() {
        return trials.left().compareTo(longest.plus(longer(longest, longestWithChange))) < 0;
    }

    private Step tried(Candidate candidate) {
        Pairs pairs = new Pairs();
        Ruling ruling = compare(
                kept.with(candidate.choice()),
                candidate.choice().words(),
                pairs,
                () -> {
                    trying = step(candidate, pairs, TRYING);
                    onStep.accept(report(trying));
                },
                null);
        return step(candidate, pairs, ruling);
    }

    /** What was measured without and with a change, each beside the other. */
    private final class Pairs {
        private double[] without = {};
        private double[] changed = {};

        private void add(Measured base, Measured other) {
            without = and(without, goal.of(base));
            changed = and(changed, goal.of(other));
        }

        private @Nullable Effect effect() {
            return without.length == 0
                    ? null
                    : Effect.of(without, changed, Difference.ofPairs(without, changed, goal.better()));
        }
    }

    /**
     * Runs pairs without and with a change until it is clear whether it pays. Sets why the tuning ended, if it does.
     *
     * @param pairs where they are added
     * @param beforeEach is told of each pair before it runs
     * @param ran what has just run without the change: the first pair needs only the other run; null if nothing has
     */
    private Ruling compare(Choices with, String what, Pairs pairs, Runnable beforeEach, @Nullable Measured ran) {
        longestWithChange = Duration.ZERO;
        try {
            while (true) {
                Measured half = pairs.without.length == 0 ? ran : null;
                if (half == null ? isOverForAPair() : isOverForARun()) {
                    ended = "the budget is over";
                    Ruling last = Ruling.last(pairs.without, pairs.changed, goal.better());
                    return last.outcome() != null
                            ? last
                            : new Ruling(Step.Outcome.UNDECIDED, "the budget was over before it was clear");
                }
                beforeEach.run();
                progress.accept(what + ", pair " + (pairs.without.length + 1));
                boolean first = pairs.without.length % 2 == 0; // what warms up or slows down in between hits both
                Measured one = half != null ? half : run(first ? kept : with, false, patience());
                Measured two = run(first ? with : kept, false, patience());
                Measured base = first ? one : two;
                Measured other = first ? two : one;
                Ruling wrong = wrong(base, other);
                if (wrong != null) {
                    return wrong;
                }
                pairs.add(base, other);
                Ruling ruling = Ruling.of(pairs.without, pairs.changed, goal.better());
                if (ruling.outcome() != null) {
                    return ruling;
                }
            }
        } catch (InterruptedException e) {
            ended = "stopped by the user";
            return new Ruling(Step.Outcome.UNDECIDED, "stopped by the user before it was clear");
        }
    }

    /** Why a pair tells against the change, whatever it gains; null if it does not. */
    private @Nullable Ruling wrong(Measured base, Measured other) {
        if (base.failure() != null) {
            throw new TuneException("the job fails now without the change too: " + base.failure());
        }
        String differs = difference(base);
        if (differs != null) {
            throw new TuneException(
                    "a run of the job with nothing new put out different records than before, so nobody can tell whether a change is"
                            + " safe: " + differs
                            + "; is there a time or a random number in it, or does its input change?");
        }
        if (other.failure() != null) {
            return new Ruling(Step.Outcome.FAILED, "with it the job does not run to its end: " + other.failure());
        }
        String changes = difference(other);
        if (changes != null) {
            return new Ruling(Step.Outcome.OUTPUT_DIFFERS, "it changes the output: " + changes);
        }
        return goal.of(other) > 0 ? null : new Ruling(Step.Outcome.FAILED, "no latency was measured with it");
    }

    /** How what a run put out differs from what all must; null if it does not. */
    private @Nullable String difference(Measured run) {
        for (int i = 0; i < outputs.size(); i++) {
            Output expected = outputs.get(i);
            Output found = i < run.outputs().size() ? run.outputs().get(i) : new Output(expected.name(), 0, "");
            if (found.records() != expected.records()) {
                return String.format(
                        Locale.ROOT, "%,d and %,d records at %s", expected.records(), found.records(), expected.name());
            }
            if (!found.equals(expected)) {
                return "other contents at " + expected.name();
            }
        }
        return null;
    }

    private static double[] and(double[] values, double value) {
        double[] next = java.util.Arrays.copyOf(values, values.length + 1);
        next[values.length] = value;
        return next;
    }

    private Step step(Candidate candidate, Pairs measured, Ruling ruling) {
        Effect effect = measured.effect();
        List<Step.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < measured.without.length; i++) {
            pairs.add(new Step.Pair(rounded(measured.without[i]), rounded(measured.changed[i])));
        }
        return new Step(
                steps.size() + 1,
                candidate.choice(),
                was(candidate),
                candidate.from(),
                candidate.why(),
                candidate.predicted(),
                pairs,
                effect,
                Step.prediction(candidate.predicted(), effect),
                outcome(ruling),
                ruling.reason());
    }

    private static Step.Outcome outcome(Ruling ruling) {
        return Objects.requireNonNull(ruling.outcome());
    }

    /** As it is set; what is not may be known from what was observed. */
    private @Nullable String was(Candidate candidate) {
        return kept.all().stream()
                .filter(candidate.choice()::isOfSame)
                .map(Choice::value)
                .findFirst()
                .orElse(candidate.was());
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }

    // ---- all changes together

    /** Several changes may gain less together than each over the one before, or lose: then none is kept. */
    private void compareAll() throws InterruptedException {
        long changes =
                kept.all().stream().filter(each -> !start.all().contains(each)).count() + (report().isReset() ? 1 : 0);
        longest = longer(longest, longestAtFirst);
        if (changes < 2 || isOver()) {
            return;
        }
        progress.accept("the job as it was against what is kept");
        Pairs pairs = new Pairs();
        for (int pair = 0; pair < Ruling.LOOKS.get(0); pair++) {
            if (isOverForAPair()) {
                return;
            }
            boolean first = pair % 2 == 0;
            Measured one = run(first ? start : kept, false, patience());
            Measured two = run(first ? kept : start, false, patience());
            Measured base = first ? one : two;
            Measured other = first ? two : one;
            if (base.failure() != null) {
                return; // nothing to compare with
            }
            Ruling wrong = wrong(base, other);
            if (wrong != null) {
                withdrawAll(wrong.reason());
                return;
            }
            pairs.add(base, other);
        }
        total = Objects.requireNonNull(pairs.effect());
        if (goal.isLatency() ? total.low() > 1 : total.high() < 1) {
            withdrawAll("it is worse");
        }
    }

    private void withdrawAll(String why) {
        kept = start;
        ended += "; all of it together is withdrawn: " + why;
    }

    private Duration patience() {
        return longest.multipliedBy(PATIENCE).plus(trials.grace());
    }

    private Measured run(Choices choices, boolean watched, Duration atMost) throws InterruptedException {
        Duration left = trials.left();
        runs++;
        Measured measured = trials.run(choices, watched, atMost);
        Duration took = left.minus(trials.left());
        if (measured.failure() == null) {
            if (choices.equals(kept)) {
                longest = longer(longest, took);
            } else {
                longestWithChange = longer(longestWithChange, took);
            }
        }
        return measured;
    }

    private TuneReport report() {
        return report(steps);
    }

    /** With a step that is not over. */
    private TuneReport report(Step last) {
        List<Step> all = new ArrayList<>(steps);
        all.add(last);
        return report(all);
    }

    private TuneReport report(List<Step> steps) {
        return new TuneReport(
                TuneReport.VERSION,
                trials.topology(),
                goal.what(),
                goal.isLatency() ? goal.rate() : null,
                goal.isLatency() ? goal.limitUs() : null,
                machine.cores(),
                rounded(before),
                outputs,
                start.all(),
                reset,
                steps,
                skipped,
                unfit.stream().filter(each -> !tried.contains(each.choice())).toList(),
                kept.all(),
                total,
                ended,
                failure,
                runs,
                budget.minus(trials.left()).toMillis() / 1000.0);
    }

    private static String number(double seconds) {
        return String.format(Locale.ROOT, "%.2f", seconds);
    }
}
