// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.compare.Difference.Better;
import io.thalweg.doctor.tune.Step.Outcome;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often the verdict is right, with runs whose noise is known. */
final class RulingTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_261_126);
    private static final int CHANGES = 400;

    private final Random random = new Random(SEED);

    /** Pairs until there is a verdict. */
    private Ruling judge(double factor, double noise, Better better) {
        return judge(factor, noise, better, Ruling.mostPairs());
    }

    /** The same, and a verdict after so many pairs, since there is no time for more. */
    private Ruling judge(double factor, double noise, Better better, int pairs) {
        double[] before = {};
        double[] after = {};
        Ruling ruling;
        do {
            before = Arrays.copyOf(before, before.length + 1);
            after = Arrays.copyOf(after, after.length + 1);
            before[before.length - 1] = Math.exp(noise * random.nextGaussian());
            after[after.length - 1] = factor * Math.exp(noise * random.nextGaussian());
            ruling = Ruling.of(before, after, better);
        } while (ruling.outcome() == null && before.length < pairs);
        return ruling.outcome() == null ? Ruling.last(before, after, better) : ruling;
    }

    private double kept(double factor, double noise, Better better) {
        return kept(factor, noise, better, Ruling.mostPairs());
    }

    private double kept(double factor, double noise, Better better, int pairs) {
        int kept = 0;
        for (int i = 0; i < CHANGES; i++) {
            kept += judge(factor, noise, better, pairs).outcome() == Outcome.KEPT ? 1 : 0;
        }
        return (double) kept / CHANGES;
    }

    @ParameterizedTest
    @CsvSource({"4", "7", "11", "19"})
    void shouldLookAtTheLastPairThatThereIsTimeFor(int pairs) {
        assertThat(kept(1, 0.1, Better.MORE, pairs)).as("seed " + SEED).isLessThan(0.03);
        assertThat(kept(2, 0.1, Better.MORE, pairs)).as("seed " + SEED).isGreaterThan(0.9);
        assertThat(Ruling.last(new double[] {1, 1}, new double[] {2, 2}, Better.MORE)
                        .outcome())
                .as("too few")
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({"1, 0.05", "1, 0.2", "0.97, 0.05", "1, 0.3"})
    void shouldSeldomKeepWhatIsUseless(double factor, double noise) {
        assertThat(kept(factor, noise, Better.MORE)).as("seed " + SEED).isLessThan(0.03);
        assertThat(kept(1 / factor, noise, Better.LESS)).as("seed " + SEED).isLessThan(0.03);
    }

    @ParameterizedTest
    @CsvSource({"1.1, 0.03", "1.25, 0.1", "1.5, 0.2"})
    void shouldKeepWhatPays(double factor, double noise) {
        assertThat(kept(factor, noise, Better.MORE)).as("seed " + SEED).isGreaterThan(0.9);
        assertThat(kept(1 / factor, noise, Better.LESS)).as("seed " + SEED).isGreaterThan(0.9);
    }

    @Test
    void shouldKeepAtOnceWhatIsTwiceAsMuch_butNotALatencyOfHalf() {
        double[] one = {1, 1};
        double[] two = {2, 2.5};

        assertThat(Ruling.of(one, two, Better.MORE).outcome()).isEqualTo(Outcome.KEPT);
        assertThat(Ruling.of(one, new double[] {2, 1.9}, Better.MORE).outcome()).isNull();
        assertThat(Ruling.of(two, one, Better.LESS).outcome()).isNull();
    }

    @Test
    void shouldSayWhenRunsDifferTooMuchToTell() {
        double[] before = new double[Ruling.mostPairs()];
        double[] after = new double[Ruling.mostPairs()];
        for (int i = 0; i < before.length; i++) {
            before[i] = i % 2 == 0 ? 1 : 4;
            after[i] = i % 4 < 2 ? 1.1 : 4.4;
        }
        Ruling ruling = Ruling.of(before, after, Better.MORE);

        assertThat(ruling.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(ruling.reason()).contains("too much to tell");
    }

    @Test
    void shouldHaveAVerdictAtTheLatestAfterTheLastPair() {
        for (int i = 0; i < CHANGES / 4; i++) {
            assertThat(judge(1.05, 0.3, Better.MORE).outcome()).isNotNull();
        }
    }
}
