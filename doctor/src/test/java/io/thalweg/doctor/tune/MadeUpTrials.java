// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.api.stats.LatencyStats;
import io.thalweg.doctor.observation.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job that exists only as figures: what each setting does to it is planted, and runs differ by noise from a seed. */
final class MadeUpTrials implements Trials {
    private static final long RECORDS = 1_000_000;

    private final Observation observation;
    private final double noise;
    private final Random random;
    private final Map<Choice, Double> factors = new HashMap<>();
    private final Set<Choice> changingOutput = new HashSet<>();
    private final Set<Choice> failing = new HashSet<>();
    private final Set<Choice> unfit = new HashSet<>();
    private double leftSeconds;
    private double otherFactor = 1;
    private double factorInTheEnd = 1;
    private boolean otherInTheEnd;
    private boolean comparing;
    private int stopAfter = Integer.MAX_VALUE;
    private int restlessAfter = Integer.MAX_VALUE;

    final List<Choices> runs = new ArrayList<>();

    /** What each run takes. */
    double seconds = 2;

    /** Each run puts out something else. */
    boolean restless;

    MadeUpTrials(Observation observation, Duration budget, double noise, long seed) {
        this.observation = observation;
        this.noise = noise;
        leftSeconds = budget.toSeconds();
        random = new Random(seed);
    }

    /** Makes the job faster by a factor, or slower. */
    MadeUpTrials with(Choice choice, double factor) {
        factors.put(choice, factor);
        return this;
    }

    /** What all other settings do. */
    MadeUpTrials withOthers(double factor) {
        otherFactor = factor;
        return this;
    }

    MadeUpTrials changingOutput(Choice choice) {
        changingOutput.add(choice);
        return this;
    }

    MadeUpTrials failing(Choice choice) {
        failing.add(choice);
        return this;
    }

    MadeUpTrials unfit(Choice choice) {
        unfit.add(choice);
        return this;
    }

    /** What several changes do besides, once they are compared with the job as it was. */
    MadeUpTrials inTheEnd(double factor, boolean otherOutput) {
        factorInTheEnd = factor;
        otherInTheEnd = otherOutput;
        return this;
    }

    /** As Ctrl-C would. */
    MadeUpTrials stopAfter(int number) {
        stopAfter = number;
        return this;
    }

    /** Each run after so many puts out something else. */
    MadeUpTrials restlessAfter(int number) {
        restlessAfter = number;
        return this;
    }

    boolean ran(Choice choice) {
        return runs.stream().anyMatch(each -> each.all().contains(choice));
    }

    @Override
    public String topology() {
        return observation.plan().topology();
    }

    @Override
    public Measured run(Choices choices, boolean watched, Duration atMost) throws InterruptedException {
        if (runs.size() == stopAfter) {
            throw new InterruptedException("stopped");
        }
        comparing |= choices.all().isEmpty()
                && runs.stream().anyMatch(run -> run.all().size() > 1); // what is kept stays in all other runs
        boolean all = comparing && !choices.all().isEmpty();
        runs.add(choices);
        double factor = Math.exp(noise * random.nextGaussian());
        for (Choice choice : choices.all()) {
            factor *= factors.getOrDefault(choice, otherFactor);
        }
        factor *= all ? factorInTheEnd : 1;
        double took = seconds / factor;
        if (took > atMost.toSeconds()) {
            leftSeconds -= atMost.toSeconds();
            return Measured.late(atMost);
        }
        leftSeconds -= took + 0.5; // for the JVM to start
        if (choices.all().stream().anyMatch(failing::contains)) {
            return Measured.failed("operator 'parse': planted");
        }
        boolean other = restless
                || runs.size() > restlessAfter
                || (all && otherInTheEnd)
                || choices.all().stream().anyMatch(changingOutput::contains);
        double us = 5_000 / factor;
        return new Measured(
                null,
                false,
                took,
                RECORDS,
                new LatencyStats(100, us / 2, us / 1.5, us, us * 2, us * 3),
                List.of(
                        new Output("'out'", RECORDS, other ? "other" + runs.size() : "same"),
                        new Output("bad records", 0, "")),
                watched ? observation : null);
    }

    @Override
    public @Nullable String unfit(Choices choices) {
        return choices.all().stream().anyMatch(unfit::contains) ? "planted" : null;
    }

    @Override
    public Duration grace() {
        return Duration.ofMinutes(1);
    }

    @Override
    public Duration left() {
        return Duration.ofMillis((long) (leftSeconds * 1_000));
    }
}
