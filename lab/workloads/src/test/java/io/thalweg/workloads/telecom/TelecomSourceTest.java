// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.topology.SettingException;
import io.thalweg.api.topology.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TelecomSourceTest {
    private static final int WINDOWS = 6;

    /** Every size, over some full windows and a part of one. */
    static List<TelecomSettings> settings() {
        return SmallSizes.all().stream()
                .map(size ->
                        TelecomSettings.of(size).withRecords((long) WINDOWS * size.windowRecords() + size.slots() / 3L))
                .toList();
    }

    private static Map<Probe, Integer> counts(TelecomSettings settings) {
        TelecomGenerator generator = new TelecomGenerator(settings.size());
        Map<Probe, Integer> counts = new HashMap<>();
        LongStream.range(0, settings.records()).forEach(i -> counts.merge(generator.probe(i), 1, Integer::sum));
        return counts;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldEmitRecordsInOrder(TelecomSettings settings) throws Exception {
        TelecomGenerator generator = new TelecomGenerator(settings.size());
        assertThat(Drained.of(TelecomSource.records(settings)).values())
                .isEqualTo(LongStream.range(0, settings.records())
                        .mapToObj(generator::probe)
                        .toList());
        assertThat(settings.maxDisorder()).isZero();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldKeepDisorderWithinItsBound(TelecomSettings settings) throws Exception {
        Map<Probe, Integer> inOrder = counts(settings);
        for (int k = 1; k <= settings.size().log2WindowRecords(); k++) {
            TelecomSettings disordered = settings.withDisorder(k);
            Drained<Probe> drained = Drained.of(TelecomSource.records(disordered));
            assertThat(drained.counts()).as("k = %d", k).isEqualTo(inOrder);
            long bound = disordered.maxDisorder().toMillis();
            int window = settings.size().windowRecords();
            assertThat(bound).isEqualTo((300_000L * (1 << k) + window - 1) / window + 1);
            Lateness lateness = Lateness.of(drained.values(), bound);
            assertThat(lateness.greatestLagMs).as("k = %d", k).isLessThan(bound);
            if (k > 1) {
                assertThat(lateness.greatestLagMs).as("k = %d", k).isPositive();
            }
            assertThat(lateness.droppedOfWindow).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldMakeExactlyTheHeldBackRecordsLate(TelecomSettings settings) throws Exception {
        int window = settings.size().windowRecords();
        for (int k : new int[] {0, 3, settings.size().log2WindowRecords()}) {
            for (int z = 2; z <= settings.size().slots(); z *= 4) {
                TelecomSettings late = settings.withDisorder(k).withLate(z);
                List<Probe> values = Drained.of(TelecomSource.records(late)).values();
                Lateness lateness = Lateness.of(values, late.maxDisorder().toMillis());
                int windowsWithLate =
                        WINDOWS + 1 - (int) (1 + (late.maxDisorder().toMillis() + 299_999) / 300_000);
                Map<Long, Integer> expected = new HashMap<>();
                for (long w = 0; w < windowsWithLate; w++) {
                    expected.put(w, window / z);
                }
                assertThat(lateness.droppedOfWindow).as("k = %d, Z = %d", k, z).isEqualTo(expected);
                assertThat(late.lateRecords()).isEqualTo((long) windowsWithLate * window / z);
                assertThat(values).hasSize((int) late.recordsEmitted());
                assertThat(late.recordsEmitted()).isEqualTo(late.records() - late.records() / z + late.lateRecords());
            }
        }
    }

    @Test
    void shouldLeaveOutWhatWouldComeAfterTheEnd() throws Exception {
        TelecomSize size = SmallSizes.FOUR_CYCLES;
        TelecomSettings oneWindow =
                TelecomSettings.of(size).withRecords(size.windowRecords()).withLate(2);
        assertThat(Drained.of(TelecomSource.records(oneWindow)).values()).hasSize(size.windowRecords() / 2);
        assertThat(oneWindow.lateRecords()).isZero();
        assertThat(Drained.of(TelecomSource.records(oneWindow.withRecords(0))).values())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldPutMalformedLinesAfterEveryYthRecord(TelecomSettings settings) throws Exception {
        for (long y : new long[] {1, 7, 64, settings.records() + 5}) {
            TelecomSettings bad = settings.withBad(y);
            List<byte[]> lines = Drained.of(TelecomSource.jsonLines(bad)).values();
            LineEncoder encoder = new LineEncoder(LineFormat.JSON);
            TelecomGenerator generator = new TelecomGenerator(settings.size());
            int at = 0;
            long malformed = 0;
            for (long i = 0; i < settings.records(); i++) {
                assertThat(lines.get(at++)).isEqualTo(generator.line(i, encoder));
                if (i % y == 0) {
                    assertThat(lines.get(at++)).isEqualTo(MalformedLines.line(LineFormat.JSON, malformed++));
                }
            }
            assertThat(lines).hasSize(at);
            assertThat(malformed).isEqualTo(bad.badLines()).isEqualTo((settings.records() + y - 1) / y);
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldHaveAsManyMalformedLines_whateverTheOrder(TelecomSettings settings) throws Exception {
        TelecomSettings all = settings.withDisorder(4).withLate(4).withBad(5);
        assertThat(Drained.of(TelecomSource.csvLines(all)).values())
                .hasSize((int) (all.recordsEmitted() + all.badLines()));
        Drained<Probe> records = Drained.of(TelecomSource.records(all));
        assertThat(records.values()).hasSize((int) all.recordsEmitted());
        assertThat(records.bad()).hasSize((int) all.badLines());
    }

    @ParameterizedTest
    @MethodSource("settings")
    void shouldShareRecordsOutAmongSplits_eachWithinTheBound(TelecomSettings settings) throws Exception {
        Map<Probe, Integer> inOrder = counts(settings);
        for (int splits : new int[] {2, 3, 7}) {
            for (int k : new int[] {0, 5}) {
                TelecomSource<Probe> source = TelecomSource.records(
                        settings.withSplits(splits).withDisorder(k).withBad(9));
                assertThat(source.splits(1)).hasSize(splits);
                Map<Probe, Integer> counts = new HashMap<>();
                int bad = 0;
                for (String split : source.splits(1)) {
                    Drained<Probe> drained = Drained.of(source, split);
                    drained.counts().forEach((probe, count) -> counts.merge(probe, count, Integer::sum));
                    bad += drained.bad().size();
                    Lateness lateness =
                            Lateness.of(drained.values(), source.maxDisorder().toMillis());
                    assertThat(lateness.greatestLagMs)
                            .isLessThanOrEqualTo(source.maxDisorder().toMillis());
                    assertThat(lateness.droppedOfWindow).isEmpty();
                }
                assertThat(counts).isEqualTo(inOrder);
                assertThat(bad).isEqualTo((int) settings.withBad(9).badLines());
            }
        }
    }

    @Test
    void shouldGoOnFromAnyPosition() throws Exception {
        long seed = Long.getLong("thalweg.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int n = 0; n < 200; n++) {
            TelecomSettings settings = random(random);
            TelecomSource<byte[]> source = TelecomSource.jsonLines(settings);
            List<String> splits = source.splits(1 + random.nextInt(4));
            String split = splits.get(random.nextInt(splits.size()));
            Drained<byte[]> whole = Drained.of(source, split);
            if (whole.values().isEmpty()) {
                continue;
            }
            int from = random.nextInt(whole.values().size());
            SplitReader<byte[]> reader = source.open(split, new SteppedContext());
            reader.seek(whole.positions().get(from));
            assertThat(reader.position()).isEqualTo(whole.positions().get(from));
            List<byte[]> rest = Drained.of(reader, new ArrayList<>()).values();
            assertThat(rest.size())
                    .as("seed %d, %s", seed, settings)
                    .isEqualTo(whole.values().size() - from - 1);
            for (int i = 0; i < rest.size(); i++) {
                assertThat(rest.get(i))
                        .as("seed %d, %s", seed, settings)
                        .isEqualTo(whole.values().get(from + 1 + i));
            }
        }
    }

    private static TelecomSettings random(Random random) {
        TelecomSize size = SmallSizes.all().get(random.nextInt(4));
        TelecomSettings settings = TelecomSettings.of(size)
                .withRecords(random.nextInt(3 * size.windowRecords()))
                .withDisorder(random.nextInt(size.log2WindowRecords() + 1))
                .withBad(random.nextInt(20));
        return random.nextBoolean()
                ? settings.withLate(2 << random.nextInt(size.log2Slots()))
                : settings.withSplits(random.nextInt(4));
    }

    @Test
    void shouldKeepTheRate_andCatchUpAfterAStall() throws Exception {
        SteppedContext context = new SteppedContext();
        context.nowNs = 5_000;
        TelecomSource<Probe> source = TelecomSource.records(
                TelecomSettings.of(SmallSizes.FOUR_CYCLES).withRecords(3_003).withRatePerSecond(3));
        SplitReader<Probe> reader = source.open("part 1 of 1", context);
        assertThat(reader.nextDueNs()).isZero();
        assertThat(reader.poll()).isNotNull();
        assertThat(reader.nextDueNs()).isEqualTo(5_000 + 333_333_333);
        assertThat(reader.poll()).isNull();
        assertThat(reader.finished()).isFalse();
        context.nowNs += 333_333_332;
        assertThat(reader.poll()).isNull();
        context.nowNs += 1;
        assertThat(reader.poll()).isNotNull();
        assertThat(reader.nextDueNs()).isEqualTo(5_000 + 666_666_666);
        context.nowNs += 10_000_000_000L;
        List<Long> due = new ArrayList<>(List.of(reader.nextDueNs()));
        while (reader.poll() != null) {
            due.add(reader.nextDueNs());
        }
        assertThat(due)
                .isEqualTo(IntStream.range(2, 33)
                        .mapToObj(n -> 5_000 + n * 1_000_000_000L / 3)
                        .toList());
        context.nowNs += 1_000_000_000_000_000L;
        assertThat(Drained.of(reader, new ArrayList<>()).values()).hasSize(3_003 - 32);
        assertThat(reader.nextDueNs()).isEqualTo(5_000 + 3_003 * 1_000_000_000L / 3);
    }

    @Test
    void shouldDivideTheRateAmongSplits() throws Exception {
        SteppedContext context = new SteppedContext();
        context.nowNs = -7;
        TelecomSource<Probe> source = TelecomSource.records(TelecomSettings.of(SmallSizes.FOUR_CYCLES)
                .withRatePerSecond(1_000)
                .withSplits(4));
        SplitReader<Probe> reader = source.open("part 4 of 4", context);
        assertThat(reader.poll()).isNotNull();
        assertThat(reader.poll()).isNull();
        context.nowNs += 4_000_000;
        assertThat(reader.nextDueNs()).isEqualTo(4_000_000 - 7);
        assertThat(reader.poll()).isNotNull();
        assertThat(reader.poll()).isNull();
    }

    @Test
    void shouldNeverEnd_whenEndless() throws Exception {
        for (int late : new int[] {0, 2}) {
            TelecomSource<Probe> source = TelecomSource.records(TelecomSettings.of(TelecomSize.WORST)
                    .withDisorder(20)
                    .withLate(late)
                    .withBad(3));
            SplitReader<Probe> reader = source.open("part 1 of 1", new SteppedContext());
            assertThat(reader.poll()).isNotNull();
            reader.seek(1L << 59);
            assertThat(reader.poll()).isNotNull();
            assertThat(reader.finished()).isFalse();
        }
    }

    @Test
    void shouldHaveASplitForEachTask_butOneInLateMode() {
        TelecomSettings settings = TelecomSettings.of(TelecomSize.SMALL);
        assertThat(TelecomSource.records(settings).splits(3))
                .containsExactly("part 1 of 3", "part 2 of 3", "part 3 of 3");
        assertThat(TelecomSource.records(settings.withLate(2)).splits(3)).containsExactly("part 1 of 1");
        assertThat(TelecomSource.records(settings.withSplits(2)).splits(3)).hasSize(2);
    }

    @Test
    void shouldReadWhatAUserSets() {
        TelecomSettings settings = TelecomSettings.from(
                set("size=typical", "records=2_000_000", "rate=5", "disorder=3", "late=16", "bad=100"));
        assertThat(settings)
                .isEqualTo(TelecomSettings.of(TelecomSize.TYPICAL)
                        .withRecords(2_000_000)
                        .withRatePerSecond(5)
                        .withDisorder(3)
                        .withLate(16)
                        .withBad(100));
        assertThat(TelecomSettings.from(set()))
                .isEqualTo(TelecomSettings.of(TelecomSize.SMALL).withRecords(1_000_000));
        assertThat(TelecomSettings.from(set("records=0"))).isEqualTo(TelecomSettings.of(TelecomSize.SMALL));
        assertThatThrownBy(() -> TelecomSettings.from(set("late=3")))
                .isInstanceOf(SettingException.class)
                .hasMessage("setting late=3: late must be 0 or a power of two from 2 to 4096, not 3");
        assertThatThrownBy(() -> TelecomSettings.from(set("disorder=4294967296")))
                .isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> TelecomDimension.from(set("dims=rat,colour")))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith("setting dims=rat,colour: there is no dimension 'colour'; there are: cellId,");
    }

    private static Settings set(String... pairs) {
        Map<String, String> values = new HashMap<>();
        for (String pair : pairs) {
            values.put(pair.split("=")[0], pair.split("=")[1]);
        }
        return new Settings(values, Path.of(""));
    }

    @Test
    void shouldRefuseWhatDoesNotFit() throws Exception {
        TelecomSettings small = TelecomSettings.of(TelecomSize.SMALL);
        assertThatThrownBy(() -> small.withDisorder(17)).hasMessage("disorder must be from 0 to 16, not 17");
        assertThatThrownBy(() -> small.withLate(3))
                .hasMessage("late must be 0 or a power of two from 2 to 4096, not 3");
        assertThatThrownBy(() -> small.withLate(4).withSplits(2)).hasMessage("late records need a single split, not 2");
        assertThatThrownBy(() -> small.withBad(-1)).hasMessage("bad must be 0 or more, not -1");
        assertThatThrownBy(() -> TelecomSource.records(small).open("part 2 of 1", new SteppedContext()))
                .hasMessage("the telecom source has no split 'part 2 of 1'");
    }
}
