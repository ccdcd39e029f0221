// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.CheckpointedWriter;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks rows as they come. Keeps one bit for each group of a window that is not yet complete. */
final class TelecomCheckWriter implements CheckpointedWriter<TelecomRow> {
    private static final int MOST_SHOWN = 10;

    private final TelecomExpectation expectation;
    private final PrintStream console;
    private final Map<Long, OpenWindow> open = new TreeMap<>();
    private final BitSet complete = new BitSet();
    private final Fingerprint fingerprint = new Fingerprint();
    private final List<String> differences = new ArrayList<>();
    private long differing;
    private long rows;
    private long records;

    /** A window of which some rows have come. */
    private static final class OpenWindow {
        final ExpectedWindow expected;
        final BitSet seen = new BitSet();
        int rows;

        OpenWindow(ExpectedWindow expected) {
            this.expected = expected;
        }
    }

    TelecomCheckWriter(TelecomExpectation expectation, PrintStream console) {
        this.expectation = expectation;
        this.console = console;
    }

    @Override
    public void write(TelecomRow row) {
        rows++;
        records += row.sums().records();
        fingerprint.add(row.text());
        long sinceFirst = row.windowStart() - TelecomSize.FIRST_WINDOW_MS;
        long window = Math.floorDiv(sinceFirst, TelecomSize.WINDOW_MS);
        if (TelecomSize.windowStartMs(window) != row.windowStart()
                || TelecomSize.windowStartMs(window + 1) != row.windowEnd()
                || window < 0
                || window >= expectation.windows()) {
            differs(row, "there is no such window");
        } else if (complete.get((int) window)) {
            differs(row, "a row too many: the window was complete");
        } else {
            check(row, window);
        }
    }

    private void check(TelecomRow row, long window) {
        OpenWindow open = this.open.computeIfAbsent(window, w -> new OpenWindow(expectation.window(w)));
        ExpectedWindow expected = open.expected;
        int group = expected.groups().find(row.dimensions());
        TelecomSums sums = group == Groups.NONE ? null : expected.sums(group);
        if (sums == null) {
            differs(row, "a row too many: the window has no such group");
            return;
        }
        if (open.seen.get(group)) {
            differs(row, "a row too many: its group had one already");
            return;
        }
        open.seen.set(group);
        String difference = row.sums().differenceFrom(sums);
        if (difference != null) {
            differs(row, difference);
        }
        open.rows++;
        if (open.rows == expected.rows()) {
            complete.set((int) window);
            this.open.remove(window);
        }
    }

    private void differs(TelecomRow row, String difference) {
        differs(name(row.windowStart()) + ", " + shown(row.dimensions()) + ": " + difference);
    }

    private void differs(String difference) {
        differing++;
        if (differences.size() < MOST_SHOWN) {
            differences.add(difference);
        }
    }

    @Override
    public byte[] save(long checkpoint) {
        ByteWriter out = new ByteWriter(1024);
        out.writeVarLong(rows);
        out.writeVarLong(records);
        out.writeLong(fingerprint.sum());
        out.writeVarLong(differing);
        out.writeVarLong(differences.size());
        differences.forEach(out::writeText);
        out.writeBytes(complete.toByteArray());
        open.forEach((window, state) -> {
            out.writeVarLong(window);
            out.writeVarLong(state.rows);
            out.writeBytes(state.seen.toByteArray());
        });
        return out.toByteArray();
    }

    @Override
    public void restore(List<byte[]> saved) {
        for (byte[] each : saved) {
            ByteReader in = new ByteReader(each);
            rows = in.readVarLong();
            records = in.readVarLong();
            fingerprint.addSum(in.readLong());
            differing = in.readVarLong();
            for (long left = in.readVarLong(); left > 0; left--) {
                differences.add(in.readText());
            }
            complete.or(BitSet.valueOf(in.readBytes()));
            while (in.remaining() > 0) {
                long window = in.readVarLong();
                OpenWindow state = new OpenWindow(expectation.window(window));
                state.rows = (int) in.readVarLong();
                state.seen.or(BitSet.valueOf(in.readBytes()));
                open.put(window, state);
            }
        }
    }

    @Override
    public void finish() {
        lookForMissing();
        report("");
    }

    /** What did not come may have been still to come. */
    @Override
    public void cancelled() {
        report(" before the run was stopped");
    }

    private void report(String after) {
        String summary = String.format(
                Locale.ROOT,
                "Sums of 20 measures, by %s, against the closed form%s:%n"
                        + "  windows      %,16d%n  groups       %,16d%n  rows         %,16d%n"
                        + "  records      %,16d%n  differences  %,16d%n  fingerprint  %16s%n",
                expectation.grouping(),
                after,
                complete.cardinality() + open.size(),
                expectation.groups(),
                rows,
                records,
                differing,
                fingerprint);
        StringBuilder shown = new StringBuilder(summary);
        if (differing > MOST_SHOWN) {
            shown.append("the first ").append(MOST_SHOWN).append(" of them:\n");
        }
        differences.forEach(difference -> shown.append("  ").append(difference).append('\n'));
        console.print(shown);
        if (differing > 0) {
            throw new WrongResultException(String.format(
                    Locale.ROOT,
                    "%,d %s from the closed form; the first: %s",
                    differing,
                    differing == 1 ? "difference" : "differences",
                    differences.get(0)));
        }
    }

    /** Every window has a row at least. */
    private void lookForMissing() {
        long windows = expectation.windows();
        long absentFrom = -1;
        for (long window = 0; window < windows; window++) {
            OpenWindow incomplete = open.get(window);
            boolean absent = incomplete == null && !complete.get((int) window);
            if (absent && absentFrom < 0) {
                absentFrom = window;
            } else if (!absent && absentFrom >= 0) {
                absent(absentFrom, window);
                absentFrom = -1;
            }
            if (incomplete != null) {
                missing(window, incomplete);
            }
        }
        if (absentFrom >= 0) {
            absent(absentFrom, windows);
        }
    }

    private void absent(long from, long to) {
        String others = to - from == 1 ? "" : String.format(Locale.ROOT, " and the %,d after it", to - from - 1);
        differs(name(TelecomSize.windowStartMs(from)) + others + ": no row came");
    }

    private void missing(long window, OpenWindow incomplete) {
        ExpectedWindow expected = incomplete.expected;
        int group = 0;
        while (incomplete.seen.get(group) || !expected.has(group)) {
            group++;
        }
        int missing = expected.rows() - incomplete.rows;
        differs(String.format(
                Locale.ROOT,
                "%s: %,d of %,d rows did not come, among them %s",
                name(TelecomSize.windowStartMs(window)),
                missing,
                expected.rows(),
                shown(expected.groups().keyOfGroup(group))));
    }

    private static String name(long windowStart) {
        return "window " + Instant.ofEpochMilli(windowStart);
    }

    private static String shown(List<@Nullable String> key) {
        List<@Nullable String> start = key.size() > 6 ? key.subList(0, 6) : key;
        return start + (key.size() > 6 ? " …" : "");
    }
}
