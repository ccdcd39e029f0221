// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Takes the records that came too late for their window. When they end it prints how many there were, and fails where they
 * are not as many of each window as late mode holds back. Of a run that is stopped none is missing.
 */
public final class TelecomLateCheck implements Sink<Probe> {
    private static final long serialVersionUID = 1L;

    private final TelecomSettings settings;

    /** @param settings those of the source: they say what is expected */
    public TelecomLateCheck(TelecomSettings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "telecom late check";
    }

    @Override
    public int requiredParallelism() {
        return 1;
    }

    @Override
    public SinkWriter<Probe> open(SinkContext context) {
        return new Writer(settings, context.console());
    }

    private static final class Writer implements CheckpointedWriter<Probe> {
        private final TelecomSettings settings;
        private final PrintStream console;
        private final TreeMap<Long, Long> countOfWindow = new TreeMap<>();
        private long records;

        Writer(TelecomSettings settings, PrintStream console) {
            this.settings = settings;
            this.console = console;
        }

        @Override
        public void write(Probe late) {
            records++;
            long window = Math.floorDiv(late.time() - TelecomSize.FIRST_WINDOW_MS, TelecomSize.WINDOW_MS);
            countOfWindow.merge(window, 1L, Long::sum);
        }

        @Override
        public byte[] save(long checkpoint) {
            ByteWriter out = new ByteWriter(256);
            countOfWindow.forEach((window, count) -> {
                out.writeVarLong(window);
                out.writeVarLong(count);
            });
            return out.toByteArray();
        }

        @Override
        public void restore(List<byte[]> saved) {
            for (byte[] each : saved) {
                ByteReader in = new ByteReader(each);
                while (in.remaining() > 0) {
                    long window = in.readVarLong();
                    long count = in.readVarLong();
                    countOfWindow.put(window, count);
                    records += count;
                }
            }
        }

        @Override
        public void finish() {
            for (long window = 0; window < settings.windowsOfLateRecords(); window++) {
                countOfWindow.putIfAbsent(window, 0L);
            }
            countOfWindow.forEach((window, count) -> {
                if (count != expected(window)) {
                    throw wrong(window, count);
                }
            });
            report();
        }

        @Override
        public void cancelled() {
            countOfWindow.forEach((window, count) -> {
                if (count > expected(window)) {
                    throw wrong(window, count);
                }
            });
            report();
        }

        private long expected(long window) {
            return window >= 0 && window < settings.windowsOfLateRecords() ? settings.lateRecordsOfWindow() : 0;
        }

        private WrongResultException wrong(long window, long count) {
            return new WrongResultException(String.format(
                    Locale.ROOT,
                    "late records of window %s are %,d, expected %,d",
                    Instant.ofEpochMilli(TelecomSize.windowStartMs(window)),
                    count,
                    expected(window)));
        }

        private void report() {
            console.printf(Locale.ROOT, "Late records, against the closed form:%n  records      %,16d%n", records);
        }
    }
}
