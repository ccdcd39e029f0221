// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.whatif;

import io.thalweg.doctor.observation.KeyShares;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators that run in the same tasks. Times are for a record of a source, by all tasks together, without what links take.
 *
 * @param steps its operators, in order
 * @param tasks how many there are
 * @param imbalance how much longer than the mean its busiest task works; 1 if all work as long
 * @param sharesThreads with tasks of other stations
 * @param source it reads the input
 * @param visits records that come to it for a record of a source
 * @param fetchNs how long one of its tasks waits for the input of a record where there is more of it than comes; 0 if it comes at
 *     once. Meanwhile the task does other records
 * @param known what each of its operators takes is known, and not only what all of them take together
 */
public record Station(
        List<Step> steps,
        int tasks,
        double imbalance,
        boolean sharesThreads,
        boolean source,
        double visits,
        double fetchNs,
        boolean known) {
    /** More than this is not by chance: a key or a split is larger than others, and remains so with more tasks. */
    private static final double UNEVEN = 1.3;

    public Station {
        steps = List.copyOf(steps);
        if (steps.isEmpty() || tasks < 1) {
            throw new IllegalArgumentException("a station has an operator and a task at least");
        }
    }

    /**
     * An operator.
     *
     * @param operator its name
     * @param occupiedNs in which it keeps its task from other records
     * @param computingNs in which it needs a core, those of them and what threads beside its task do for it
     * @param keys how they divide the records that come to it; null if it has none, or they were not observed
     */
    public record Step(
            String operator,
            double occupiedNs,
            double computingNs,
            @Nullable KeyShares keys) {
        /** Without keys. */
        public Step(String operator, double occupiedNs, double computingNs) {
            this(operator, occupiedNs, computingNs, null);
        }
    }

    boolean isUneven() {
        return imbalance > UNEVEN;
    }

    /** Its first operator of whose records the keys were observed; null if there is none. */
    @Nullable Step keyed() {
        return steps.stream().filter(step -> step.keys() != null).findFirst().orElse(null);
    }

    /** How much longer than the mean the busiest of so many tasks works, by the keys: from a keyed operator on, records stay with them. */
    private double imbalanceByKeys(int number) {
        double factor = 1;
        double work = 0;
        for (Step step : steps) {
            KeyShares keys = step.keys();
            factor = keys == null ? factor : number * keys.largestPart(number);
            work += factor * step.occupiedNs();
        }
        double occupied = occupiedNs();
        return occupied <= 0 ? factor : work / occupied;
    }

    boolean has(String operator) {
        return steps.stream().anyMatch(step -> step.operator().equals(operator));
    }

    String head() {
        return steps.get(0).operator();
    }

    double occupiedNs() {
        return steps.stream().mapToDouble(Step::occupiedNs).sum();
    }

    double computingNs() {
        return steps.stream().mapToDouble(Step::computingNs).sum();
    }

    /** The operator that takes most of its time. */
    String dominant() {
        Step dominant = steps.get(0);
        for (Step step : steps) {
            dominant = step.occupiedNs() > dominant.occupiedNs() ? step : dominant;
        }
        return dominant.operator();
    }

    /** Keys go where the engine sends them; what else makes a task work longer than others, such as a split, it keeps. */
    Station withTasks(int number) {
        double beside = imbalance / imbalanceByKeys(tasks);
        double kept = beside > UNEVEN ? beside * number / tasks : beside;
        double then = Math.max(1, kept * imbalanceByKeys(number));
        return new Station(steps, number, number == 1 ? 1 : then, sharesThreads, source, visits, fetchNs, known);
    }

    Station withSteps(List<Step> other) {
        return new Station(other, tasks, imbalance, sharesThreads, source, visits, fetchNs, known);
    }

    /** Its operators from one on, as a station of their own. */
    Station from(int step) {
        if (!known) {
            throw new IllegalArgumentException("what '" + steps.get(step).operator()
                    + "' takes by itself was not observed, only what it takes together with '" + head() + "'");
        }
        return new Station(steps.subList(step, steps.size()), tasks, imbalance, sharesThreads, false, visits, 0, true);
    }

    Station until(int step) {
        return withSteps(steps.subList(0, step));
    }

    /** With the operators of another one behind its own, and some time less. */
    Station and(Station next, double savedNs) {
        List<Step> all = new ArrayList<>(steps);
        all.addAll(next.steps);
        double occupied = occupiedNs() + next.occupiedNs();
        double left = occupied <= 0 ? 1 : Math.max(LEAST_LEFT, 1 - savedNs / occupied);
        all.replaceAll(
                step -> new Step(step.operator(), step.occupiedNs() * left, step.computingNs() * left, step.keys()));
        return withSteps(all);
    }

    /** Work does not vanish because it is compiled as one. */
    private static final double LEAST_LEFT = 0.2;
}
