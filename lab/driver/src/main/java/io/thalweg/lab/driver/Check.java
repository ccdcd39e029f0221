// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a run found that looked at every record, by a bitmap of their numbers, and at every group's row, against sums computed here
 * from the numbers sent, by another program than the engine's.
 *
 * @param records that were sent
 * @param lost of them, that did not come out
 * @param repeated how often one came out again
 * @param strange numbers that came out and were not sent
 * @param groups that must come out; 0 where records are not grouped
 * @param wrongGroups of them, that did not come out or with another count, sum or greatest number, and groups that must not
 * @param example one of the wrong groups; null if there is none
 */
public record Check(
        long records,
        long lost,
        long repeated,
        long strange,
        long groups,
        long wrongGroups,
        @Nullable String example) {

    /** Whether a run of the cell can be checked in this way. */
    public static boolean applies(Cell cell) {
        return switch (cell.workload()) {
            case RELAY -> !cell.kills(); // each such run looks at every record itself
            case PRODUCE, GROUP_BY, WINDOWS, FLATTEN, TELECOM -> true;
            // each run over files is checked as a whole; consumers compare each record with its offset already; the lab
            // does not know what a user's topology must
            // write
            case CONSUME, TOPOLOGY, FILES, SERVE -> false;
        };
    }

    /**
     * What the records of {@link Cell.Workload#TELECOM} are, by their numbers.
     *
     * @param group which group a record is of
     * @param measures its measures, as whole numbers
     */
    public record Telecom(LongUnaryOperator group, LongFunction<long[]> measures) {}

    /**
     * What the JVMs of a run have written by now.
     *
     * @param telecom only of {@link Cell.Workload#TELECOM}
     */
    public static Check of(Cell cell, @Nullable Telecom telecom) {
        CheckLog sent = new CheckLog();
        CheckLog received = new CheckLog();
        try {
            for (Path file : cell.folder().files(RunFolder.CHECK)) {
                CheckLog.read(file, sent, received);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cell.workload() == Cell.Workload.TELECOM
                ? rows(sent.numbers(), received.rows(), Objects.requireNonNull(telecom))
                : of(cell, sent, received);
    }

    /**
     * Engines have keys of their own for 62 dimensions. So a row is known by how many records it stands for, and by the sum of their
     * numbers, which hardly two groups have in common.
     */
    static Check rows(BitSet numbers, List<CheckLog.Row> rows, Telecom telecom) {
        record Known(long records, long sum) {
            String text() {
                return "a group of " + records + " records whose numbers add up to " + sum;
            }
        }
        Map<Long, Sums> all = new HashMap<>();
        numbers.stream()
                .forEach(n -> all.computeIfAbsent(telecom.group.applyAsLong(n), none -> new Sums())
                        .add(n, telecom.measures.apply(n)));
        Map<Known, List<long[]>> missing = new HashMap<>();
        all.values()
                .forEach(group -> missing.computeIfAbsent(
                                new Known(group.records, group.numbers), none -> new ArrayList<>())
                        .add(group.measures));
        long wrong = 0;
        String example = null;
        for (CheckLog.Row row : rows) {
            Known is = new Known(row.key()[0], row.key()[1]);
            List<long[]> left = missing.getOrDefault(is, List.of());
            if (left.isEmpty()) {
                wrong++;
                example = is.text() + ", instead of none";
            } else {
                long[] nearest = left.stream()
                        .filter(sums -> Arrays.equals(sums, row.values()))
                        .findFirst()
                        .orElse(left.get(0));
                left.remove(nearest);
                if (!Arrays.equals(nearest, row.values())) {
                    wrong++;
                    example = is.text() + ", " + difference(row.values(), nearest);
                }
            }
        }
        for (Map.Entry<Known, List<long[]>> each : missing.entrySet()) {
            wrong += each.getValue().size();
            example = each.getValue().isEmpty() ? example : each.getKey().text() + ", which is missing";
        }
        return new Check(numbers.cardinality(), 0, 0, 0, all.size(), wrong, example);
    }

    private static String difference(long[] is, long[] should) {
        int at = Arrays.mismatch(is, should);
        return at < is.length && at < should.length
                ? "whose measure " + (at + 1) + " of " + should.length + " adds up to " + is[at] + " instead of "
                        + should[at]
                : "with " + is.length + " measures instead of " + should.length;
    }

    /** Of a group's records. */
    private static final class Sums {
        private long records;
        private long numbers;
        private long[] measures = {};

        void add(long number, long[] added) {
            records++;
            numbers += number;
            measures = Arrays.copyOf(measures, added.length);
            for (int i = 0; i < added.length; i++) {
                measures[i] += added[i];
            }
        }
    }

    static Check of(Cell cell, CheckLog sent, CheckLog received) {
        BitSet in = sent.numbers();
        if (aggregates(cell)) {
            return Groups.expected(cell, in).compare(received.rows(), in.cardinality());
        }
        BitSet out = received.numbers();
        BitSet lost = (BitSet) in.clone();
        lost.andNot(out);
        BitSet strange = (BitSet) out.clone();
        strange.andNot(in);
        Check running = cell.workload() == Cell.Workload.WINDOWS
                        && cell.operation() == Cell.Operation.RUNNING
                        && cell.sources() == 1
                ? Groups.expected(cell, in).compare(received.rows(), in.cardinality())
                : new Check(0, 0, 0, 0, 0, 0, null);
        return new Check(
                in.cardinality(),
                lost.cardinality(),
                received.repeated(),
                strange.cardinality() + received.outside(),
                running.groups,
                running.wrongGroups,
                running.example);
    }

    /** Whether what comes out are rows that stand for several records. */
    private static boolean aggregates(Cell cell) {
        return cell.workload() == Cell.Workload.GROUP_BY
                || (cell.workload() == Cell.Workload.WINDOWS
                        && cell.operation() != Cell.Operation.RUNNING
                        && cell.operation() != Cell.Operation.JOIN);
    }

    /** Why that is not what the cell's guarantee promises; null if it is. Nothing is lost with any, and a repetition is allowed where records are replayed. */
    public @Nullable String problem(Cell cell) {
        if (records == 0) {
            return "no record was sent to be checked";
        }
        if (lost > 0) {
            return "lost " + lost + " of " + records + " records";
        }
        if (strange > 0) {
            return strange + " records came out that were not sent";
        }
        if (wrongGroups > 0) {
            return wrongGroups + " of " + groups + " groups are wrong, such as " + example;
        }
        return repeated > 0 && !cell.acked() ? repeated + " of " + records + " records came out again" : null;
    }

    /** Groups by the start of their window and their key, each with its count first, then sums, then with windows the greatest number. */
    private static final class Groups {
        private static final int SHOWN = 4;

        private record Id(long start, List<Long> key) {
            static Id of(long start, long[] key) {
                return new Id(start, Arrays.stream(key).boxed().toList());
            }

            String text() {
                String shown = key.size() > SHOWN ? key.subList(0, SHOWN) + "..." : key.toString();
                return "from " + start + " ms key " + shown;
            }
        }

        private final Cell cell;
        private final Map<Id, long[]> expected = new HashMap<>();

        private Groups(Cell cell) {
            this.cell = cell;
        }

        static Groups expected(Cell cell, BitSet numbers) {
            Groups groups = new Groups(cell);
            if (cell.workload() == Cell.Workload.GROUP_BY) {
                groups.groupBy(numbers);
            } else {
                groups.windows(numbers);
            }
            return groups;
        }

        private void groupBy(BitSet numbers) {
            GroupBy data = new GroupBy(cell);
            numbers.stream().forEach(n -> {
                long start = data.timeMs(n) / GroupBy.WINDOW_MS * GroupBy.WINDOW_MS;
                long[] sums = expected.computeIfAbsent(
                        Id.of(start, CheckLog.longs(data.dimensions(n))), none -> new long[1 + cell.measures()]);
                sums[0]++;
                long[] measures = data.measures(n);
                for (int i = 0; i < measures.length; i++) {
                    sums[1 + i] += measures[i];
                }
            });
        }

        private void windows(BitSet numbers) {
            Bid.Maker maker = new Bid.Maker(cell);
            Map<Long, long[]> running = new HashMap<>();
            numbers.stream().forEach(n -> {
                Bid bid = maker.make(n);
                long[] key = {bid.key()};
                switch (cell.operation()) {
                    case TUMBLING -> add(Id.of(bid.timeMs() / cell.sizeMs() * cell.sizeMs(), key), n);
                    case SLIDING -> {
                        long last = bid.timeMs() / cell.stepMs() * cell.stepMs();
                        for (long start = last; start > bid.timeMs() - cell.sizeMs(); start -= cell.stepMs()) {
                            add(Id.of(start, key), n);
                        }
                    }
                    case SESSION -> {
                        // numbers, and so times, rise
                        long[] open = running.get(bid.key());
                        if (open == null || bid.timeMs() - open[1] > cell.gapMs()) {
                            open = new long[] {bid.timeMs(), bid.timeMs()};
                            running.put(bid.key(), open);
                        }
                        open[1] = bid.timeMs();
                        add(Id.of(open[0], key), n);
                    }
                    case RUNNING -> {
                        long[] sums = running.computeIfAbsent(bid.key(), none -> new long[3]);
                        add(sums, n);
                        expected.put(Id.of(n, new long[0]), sums.clone());
                    }
                    case JOIN -> throw new IllegalStateException("a join has no groups");
                }
            });
        }

        private void add(Id id, long number) {
            add(expected.computeIfAbsent(id, none -> new long[3]), number);
        }

        private static void add(long[] values, long number) {
            values[0]++;
            values[1] += number;
            values[2] = Math.max(values[2], number);
        }

        Check compare(List<CheckLog.Row> rows, long records) {
            Map<Id, long[]> found = new HashMap<>();
            long repeated = 0;
            for (CheckLog.Row row : sessionsJoined(rows)) {
                Id id = Id.of(row.start(), row.key());
                if (found.putIfAbsent(id, row.values()) != null) {
                    repeated += row.values()[0]; // a window has one row
                }
            }
            long lost = 0;
            long wrong = 0;
            String example = null;
            for (Map.Entry<Id, long[]> each : expected.entrySet()) {
                long[] values = each.getValue();
                long[] is = found.remove(each.getKey());
                if (is == null || !Arrays.equals(is, values)) {
                    lost += Math.max(0, values[0] - (is == null ? 0 : is[0]));
                    wrong++;
                    example = each.getKey().text() + ", " + (is == null ? "missing" : Arrays.toString(is))
                            + " instead of " + Arrays.toString(values);
                }
            }
            for (Map.Entry<Id, long[]> each : found.entrySet()) {
                wrong++;
                example = each.getKey().text() + ", " + Arrays.toString(each.getValue()) + " instead of none";
            }
            return new Check(records, lost, repeated, 0, expected.size(), wrong, example);
        }

        /** Engines disagree on whether a pause that is as long as the gap ends a session; both are right, and count as one here. */
        private List<CheckLog.Row> sessionsJoined(List<CheckLog.Row> rows) {
            if (cell.workload() != Cell.Workload.WINDOWS || cell.operation() != Cell.Operation.SESSION) {
                return rows;
            }
            Map<Long, List<CheckLog.Row>> byKey = new TreeMap<>();
            rows.forEach(row -> byKey.computeIfAbsent(row.key()[0], none -> new ArrayList<>())
                    .add(row));
            Bid.Maker maker = new Bid.Maker(cell);
            List<CheckLog.Row> joined = new ArrayList<>();
            for (List<CheckLog.Row> ofKey : byKey.values()) {
                ofKey.sort(Comparator.comparingLong(CheckLog.Row::start));
                CheckLog.Row last = null;
                for (CheckLog.Row row : ofKey) {
                    if (last != null
                            && row.start() - maker.make(last.values()[2]).timeMs() == cell.gapMs()) {
                        last.values()[0] += row.values()[0];
                        last.values()[1] += row.values()[1];
                        last.values()[2] = Math.max(last.values()[2], row.values()[2]);
                    } else {
                        last = row;
                        joined.add(row);
                    }
                }
            }
            return joined;
        }
    }
}
