// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Contestants that run in turn, in another order each round, once all are warm. */
final class Rounds {
    private static final int LEAST_WARM_UPS = 2;

    /**
     * One that takes turns.
     *
     * @param turn runs it once, and throws if its result is wrong
     */
    record Contestant(String name, Child child, Turn turn) {}

    interface Turn {
        Figures take() throws Exception;
    }

    /** What a contestant came to in one round. */
    record Taken(Figures figures, double cpuSPerMillion) {}

    /** Of one round, by name. */
    record Round(Map<String, Taken> taken) {
        double rate(String name) {
            return of(name).figures().perSecond();
        }

        double steady(String name) {
            return of(name).figures().steadyPerSecond();
        }

        double cpu(String name) {
            return of(name).cpuSPerMillion();
        }

        private Taken of(String name) {
            Taken one = taken.get(name);
            if (one == null) {
                throw new IllegalStateException(name + " took no turn");
            }
            return one;
        }
    }

    private final List<Contestant> contestants;
    private final List<Round> rounds = new ArrayList<>();

    Rounds(List<Contestant> contestants) {
        this.contestants = contestants;
    }

    boolean isEmpty() {
        return contestants.isEmpty();
    }

    boolean has(String... names) {
        return contestants.stream().map(Contestant::name).toList().containsAll(List.of(names));
    }

    /** Each takes turns, for at least so long in all. */
    void warmUp(Duration atLeast) throws Exception {
        for (Contestant each : contestants) {
            long beganNs = System.nanoTime();
            List<String> rates = new ArrayList<>();
            while (rates.size() < LEAST_WARM_UPS || System.nanoTime() - beganNs < atLeast.toNanos()) {
                rates.add(String.format(Locale.ROOT, "%.0f", each.turn().take().perSecond() / 1e3));
            }
            System.out.println("warm-up of " + each.name() + ", thousand records/s: " + String.join(" ", rates));
        }
    }

    void run(int count) throws Exception {
        System.out.println("load average before: " + Load.average());
        for (int number = 0; number < count; number++) {
            Load load = new Load();
            Map<String, Taken> taken = new LinkedHashMap<>();
            StringBuilder line = new StringBuilder("round " + (number + 1) + ", thousand records/s:");
            for (int i = 0; i < contestants.size(); i++) {
                Contestant each = contestants.get((number + i) % contestants.size());
                double before = each.child().cpu().toNanos() / 1e9;
                Figures figures = each.turn().take();
                double cpuS = each.child().cpu().toNanos() / 1e9 - before;
                taken.put(each.name(), new Taken(figures, cpuS * 1e6 / figures.records()));
                line.append(String.format(Locale.ROOT, " %s %.0f", each.name(), figures.perSecond() / 1e3));
            }
            rounds.add(new Round(taken));
            System.out.println(line + "; others kept " + load.others() + " cores busy; load average " + Load.average());
        }
    }

    /** Prints what each came to. */
    void print() {
        System.out.println();
        System.out.println("| client | records | thousand records/s in its own interval: median (range)"
                + " | between its first and its last record | CPU s per million records |");
        System.out.println("|---|---:|---:|---:|---:|");
        for (Contestant each : contestants) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,d | %s | %s | %s |%n",
                    each.name(),
                    rounds.get(0).of(each.name()).figures().records(),
                    statistics(round -> round.rate(each.name())).text("%.0f", 1e3),
                    statistics(round -> round.steady(each.name())).text("%.0f", 1e3),
                    statistics(round -> round.cpu(each.name())).text("%.2f", 1));
        }
        System.out.println();
        System.out.println("| ratio within a round | median (range) | mean, 95 % interval |");
        System.out.println("|---|---:|---:|");
    }

    /** Prints a ratio of each round. */
    void ratio(String says, ToDoubleFunction<Round> ratio) {
        Statistics values = statistics(ratio);
        System.out.println("| " + says + " | " + values.text("%.3f", 1) + " | " + values.interval() + " |");
    }

    private Statistics statistics(ToDoubleFunction<Round> value) {
        return new Statistics(rounds.stream().mapToDouble(value).boxed().toList());
    }
}
