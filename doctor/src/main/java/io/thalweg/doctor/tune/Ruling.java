// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.doctor.compare.Difference;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a change pays, from pairs of runs: Student's t on the logarithms of their ratios, as the lab compares, at 99 %. It is asked
 * only after certain numbers of pairs: who looks after every pair until the answer pleases sees gains where there are none.
 *
 * @param outcome null if there must be more pairs
 * @param reason in one line
 */
record Ruling(Step.@Nullable Outcome outcome, String reason) {
    /** After so many pairs there is a verdict, or more are run; after the last there is one. */
    static final List<Integer> LOOKS = List.of(3, 5, 8, 13, 20);

    /** From so many pairs on, a change that shows no gain is not tried further. */
    private static final int ENOUGH = 8;

    /** If the gain may still be as much after all pairs, nobody can tell. */
    private static final double UNCLEAR = 1.1;

    /** A smaller gain is not worth a setting. */
    static final double LEAST_GAIN = 1.02;

    /** A change with which all of the first pairs lose so much is not tried further. */
    private static final double HOPELESS = 0.9;

    /** A change with which all of the first pairs gain so much is kept at once. */
    private static final double OBVIOUS = 2;

    private static final int FIRST_PAIRS = 2;

    private static final Ruling MORE = new Ruling(null, "");

    static int mostPairs() {
        return LOOKS.get(LOOKS.size() - 1);
    }

    /**
     * After another pair.
     *
     * @param before what the runs without the change reached, {@code before[i]} beside {@code after[i]}
     */
    static Ruling of(double[] before, double[] after, Difference.Better better) {
        int pairs = before.length;
        if (pairs == FIRST_PAIRS) {
            double[] gains = IntStream.range(0, pairs)
                    .mapToDouble(i -> better == Difference.Better.MORE ? after[i] / before[i] : before[i] / after[i])
                    .toArray();
            if (Arrays.stream(gains).allMatch(gain -> gain <= HOPELESS)) {
                return new Ruling(Step.Outcome.WITHDRAWN, "worse in both of the first pairs");
            }
            // A latency may well be twice as long by chance.
            if (better == Difference.Better.MORE && Arrays.stream(gains).allMatch(gain -> gain >= OBVIOUS)) {
                return new Ruling(Step.Outcome.KEPT, "twice as much or more in both of the first pairs");
            }
        }
        return LOOKS.contains(pairs) ? look(before, after, better) : MORE;
    }

    /**
     * After the last pair that there is time for: one more look in place of those that would have come.
     *
     * @return with no outcome if it is not clear
     */
    static Ruling last(double[] before, double[] after, Difference.Better better) {
        return before.length < LOOKS.get(0) ? MORE : look(before, after, better);
    }

    private static Ruling look(double[] before, double[] after, Difference.Better better) {
        int pairs = before.length;
        Difference difference = Difference.ofPairs(before, after, better);
        double least = better == Difference.Better.MORE ? difference.ratio() : 1 / difference.ratio();
        double most = better == Difference.Better.MORE
                ? difference.ci95().high()
                : 1 / difference.ci95().low();
        return switch (difference.verdict()) {
            case IMPROVEMENT ->
                least >= LEAST_GAIN
                        ? new Ruling(Step.Outcome.KEPT, "the gain is real: less than 1 % by chance")
                        : new Ruling(Step.Outcome.WITHDRAWN, "the gain is less than 2 %");
            case REGRESSION -> new Ruling(Step.Outcome.WITHDRAWN, "it is worse");
            default -> unclear(difference, pairs, least, most);
        };
    }

    private static Ruling unclear(Difference difference, int pairs, double least, double most) {
        boolean last = pairs == mostPairs();
        if (last && least >= LEAST_GAIN && most >= UNCLEAR) {
            return new Ruling(Step.Outcome.UNDECIDED, "runs differ too much to tell: " + noGain(difference, pairs));
        }
        return last || most < LEAST_GAIN || (pairs >= ENOUGH && least < LEAST_GAIN)
                ? new Ruling(Step.Outcome.WITHIN_NOISE, noGain(difference, pairs))
                : MORE;
    }

    private static String noGain(Difference difference, int pairs) {
        return String.format(
                Locale.ROOT,
                "no gain seen in %d pairs: %.2f to %.2f times",
                pairs,
                difference.ci95().low(),
                difference.ci95().high());
    }
}
