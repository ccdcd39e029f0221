// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckTest {
    private static final Map<String, String> TWO_KEYS =
            Map.of("workload", "group-by", "dimensions", "2", "measures", "2", "cardinality", "2", "window", "10");

    @TempDir
    private Path folder;

    private final CheckLog received = new CheckLog();

    @Test
    void shouldCountExactlyWhatIsLostAndRepeatedAndWasNeverSent() {
        CheckLog sent = CheckLog.ofSource(0, 2, 50);
        sent.addAll(CheckLog.ofSource(1, 2, 50));
        for (long n = 0; n < 100; n++) {
            if (n % 20 != 0) {
                received.add(n);
            }
        }
        for (long n : new long[] {1, 1, 2, 100, -1, Long.MAX_VALUE}) {
            received.add(n);
        }
        Check check = Check.of(cell(Map.of()), sent, received);

        assertThat(check).isEqualTo(new Check(100, 5, 3, 3, 0, 0, null));
        assertThat(check.problem(cell(Map.of()))).isEqualTo("lost 5 of 100 records");
    }

    @Test
    void shouldAllowRepetitionsWhereRecordsAreReplayed_andLossNowhere() {
        CheckLog sent = CheckLog.ofSource(0, 1, 10);
        received.addAll(CheckLog.ofSource(0, 1, 10));
        received.add(7);
        Check check = Check.of(cell(Map.of()), sent, received);

        assertThat(check.problem(cell(Map.of("guarantee", "at-least-once")))).isNull();
        assertThat(check.problem(cell(Map.of("guarantee", "acked")))).isNull();
        assertThat(check.problem(cell(Map.of("guarantee", "exactly-once"))))
                .isEqualTo("1 of 10 records came out again");
        assertThat(check.problem(cell(Map.of()))).isEqualTo("1 of 10 records came out again");
        assertThat(Check.of(cell(Map.of()), sent, new CheckLog()).problem(cell(Map.of("guarantee", "at-least-once"))))
                .isEqualTo("lost 10 of 10 records");
        assertThat(Check.of(cell(Map.of()), new CheckLog(), new CheckLog()).problem(cell(Map.of())))
                .isEqualTo("no record was sent to be checked");
    }

    /** Two windows of three groups each, of which two have equally many records; a key that is computed wrong merges groups, or splits one. */
    @Test
    void shouldFindGroupsThatAreMergedOrSplitOrMissing_ofWhichNobodyKnowsTheKeys() {
        BitSet numbers = CheckLog.ofSource(0, 1, 20).numbers();
        List<CheckLog.Row> right = rightRows(numbers);
        assertThat(Check.rows(numbers, right, TELECOM)).isEqualTo(new Check(20, 0, 0, 0, 6, 0, null));

        List<CheckLog.Row> merged = new ArrayList<>(right.subList(2, 6));
        merged.add(row(7, 0 + 3 + 6 + 9 + 1 + 4 + 7));
        assertThat(Check.rows(numbers, merged, TELECOM).wrongGroups()).isEqualTo(3);

        List<CheckLog.Row> split = new ArrayList<>(right.subList(1, 6));
        split.add(row(1, 0));
        split.add(row(3, 18));
        assertThat(Check.rows(numbers, split, TELECOM).problem(cell(Map.of())))
                .isEqualTo(
                        "3 of 6 groups are wrong, such as a group of 4 records whose numbers add up to 18, which is missing");

        List<CheckLog.Row> twice = new ArrayList<>(right);
        twice.add(row(3, 12));
        assertThat(Check.rows(numbers, twice, TELECOM).problem(cell(Map.of())))
                .isEqualTo(
                        "1 of 6 groups are wrong, such as a group of 3 records whose numbers add up to 12, instead of none");
    }

    @Test
    void shouldCompareEveryMeasureOfAGroup_ofWhichNobodyKnowsTheKey() {
        BitSet numbers = CheckLog.ofSource(0, 1, 20).numbers();
        for (int measure = 0; measure < 3; measure++) {
            List<CheckLog.Row> rows = rightRows(numbers);
            rows.get(1).values()[measure]++;
            assertThat(Check.rows(numbers, rows, TELECOM).problem(cell(Map.of())))
                    .isEqualTo("1 of 6 groups are wrong, such as a group of 3 records whose numbers add up to 12, whose"
                            + " measure %d of 3 adds up to %d instead of %d"
                                    .formatted(
                                            measure + 1,
                                            rows.get(1).values()[measure],
                                            rows.get(1).values()[measure] - 1));
        }
        List<CheckLog.Row> fewer = rightRows(numbers);
        CheckLog.Row first = fewer.get(0);
        fewer.set(0, new CheckLog.Row(0, first.key(), Arrays.copyOf(first.values(), 2)));
        assertThat(Check.rows(numbers, fewer, TELECOM).problem(cell(Map.of())))
                .endsWith(" whose numbers add up to 18, with 2 measures instead of 3");
    }

    /** One row stands for one group, even for groups that nothing tells apart. */
    @Test
    void shouldWantARowForEachOfTwoGroupsThatAreAlike() {
        BitSet numbers = CheckLog.ofSource(0, 1, 4).numbers();
        Check.Telecom pairs = new Check.Telecom(n -> n == 1 || n == 2 ? 1 : 0, n -> new long[] {1});
        List<CheckLog.Row> rows = List.of(new CheckLog.Row(0, new long[] {2, 3}, new long[] {2}));
        assertThat(Check.rows(numbers, rows, pairs).wrongGroups()).isEqualTo(1);
        assertThat(Check.rows(numbers, List.of(rows.get(0), rows.get(0)), pairs).wrongGroups())
                .isZero();
    }

    /** Three groups in a window of ten records, with measures one of which is the same for all. */
    private static final Check.Telecom TELECOM =
            new Check.Telecom(n -> n / 10 * 3 + n % 10 % 3, n -> new long[] {1, n * n, -7 * n});

    private static List<CheckLog.Row> rightRows(BitSet numbers) {
        Map<Long, long[]> known = new TreeMap<>();
        Map<Long, long[]> sums = new TreeMap<>();
        numbers.stream().forEach(n -> {
            long group = TELECOM.group().applyAsLong(n);
            long[] its = known.computeIfAbsent(group, none -> new long[2]);
            its[0]++;
            its[1] += n;
            long[] all = sums.computeIfAbsent(group, none -> new long[3]);
            Arrays.setAll(all, i -> all[i] + TELECOM.measures().apply(n)[i]);
        });
        List<CheckLog.Row> rows = new ArrayList<>();
        known.forEach((group, its) -> rows.add(new CheckLog.Row(0, its, sums.get(group))));
        return rows;
    }

    private static CheckLog.Row row(long records, long sum) {
        return new CheckLog.Row(0, new long[] {records, sum}, new long[] {records, 0, 0});
    }

    @Test
    void shouldFindRecordsThatCarrySomethingElse() throws Exception {
        Cell cell = Cell.of(Map.of("check", "true", "payload", "100"), folder);
        TupleLayout tuples = new TupleLayout(cell);
        try (SinkMeter sink = Meters.of(cell).sink()) {
            for (long n = 0; n < 3; n++) {
                List<Object> tuple = tuples.of(n, 0);
                if (n == 2) {
                    ((byte[]) tuple.get(1))[99] = 0;
                }
                tuples.count(tuple, sink);
            }
            received.addAll(sink.log());
        }
        assertThat(Check.of(cell, CheckLog.ofSource(0, 1, 3), received).problem(cell))
                .isEqualTo("1 records came out that were not sent");
    }

    @Test
    void shouldCompareEveryKeyAndEveryMeasureOfAGroup() {
        Cell cell = cell(TWO_KEYS);
        CheckLog sent = CheckLog.ofSource(0, 1, 20);
        long[][][] sums = sums(cell, 20);
        int wrong = 0;
        for (int window = 0; window < 2; window++) {
            for (int key = 0; key < 2; key++) {
                int[] dimensions = {key, (key * 31 + 17) & 0xff};
                received.add(new CheckLog.Row(window * 1000L, CheckLog.longs(dimensions), sums[window][key]));
                wrong += sums[window][key][0] == 0 ? 1 : 0;
            }
        }
        assertThat(wrong).as("groups without a record").isZero();
        assertThat(Check.of(cell, sent, received)).isEqualTo(new Check(20, 0, 0, 0, 4, 0, null));

        // The sum of the first measure stays: only the second is wrong, of one group.
        sums[1][0][2]++;
        Check second = Check.of(cell, sent, received);
        assertThat(second.wrongGroups()).isEqualTo(1);
        assertThat(second.problem(cell)).startsWith("1 of 4 groups are wrong, such as from 1000 ms key [0, 17], [");
        sums[1][0][2]--;

        received.add(new CheckLog.Row(2000, new long[] {0, 17}, new long[] {1, 1, 1}));
        assertThat(Check.of(cell, sent, received).problem(cell))
                .isEqualTo("1 of 4 groups are wrong, such as from 2000 ms key [0, 17], [1, 1, 1] instead of none");
    }

    @Test
    void shouldTakeSessionsForRight_thatEndAtTheGapOrAfterIt() {
        Cell cell = cell(Map.of(
                "workload", "windows", "operation", "session", "gap-ms", "5", "cardinality", "1", "window", "200"));
        CheckLog sent = CheckLog.ofSource(0, 1, 3); // at 0, 5 and 10 ms
        received.add(new CheckLog.Row(0, new long[] {0}, new long[] {1, 0, 0}));
        received.add(new CheckLog.Row(5, new long[] {0}, new long[] {2, 3, 2}));
        assertThat(Check.of(cell, sent, received).problem(cell)).isNull();

        CheckLog whole = new CheckLog();
        whole.add(new CheckLog.Row(0, new long[] {0}, new long[] {3, 3, 2}));
        assertThat(Check.of(cell, sent, whole).problem(cell)).isNull();

        CheckLog short1 = new CheckLog();
        short1.add(new CheckLog.Row(0, new long[] {0}, new long[] {2, 1, 1}));
        assertThat(Check.of(cell, sent, short1).problem(cell)).startsWith("lost 1 of 3 records");
    }

    private static long[][][] sums(Cell cell, int records) {
        GroupBy data = new GroupBy(cell);
        long[][][] sums = new long[2][2][3];
        for (int n = 0; n < records; n++) {
            long[] of = sums[n / 10][data.dimensions(n)[0]];
            of[0]++;
            of[1] += n;
            of[2] += (n + 1) & 0xff;
        }
        assertThat(Arrays.stream(sums)
                        .flatMap(Arrays::stream)
                        .mapToLong(each -> each[0])
                        .sum())
                .isEqualTo(records);
        return sums;
    }

    private Cell cell(Map<String, String> settings) {
        return Cell.of(settings, folder);
    }
}
