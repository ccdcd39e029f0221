// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads one split of the generator. Its position counts places: one for each step of the {@link TelecomOrder}, and in bad
 * mode a second one after it for a malformed line. Many places are empty; the reader stands at one that is not, or at the
 * end.
 */
final class TelecomReader<T> implements SplitReader<T> {
    private final TelecomSplit split;
    private final Renderer<T> renderer;
    private final SourceContext context;
    private final TelecomOrder order;
    private final @Nullable DueTimes dueTimes;
    private final int placesOfStep;
    private final long badEvery;
    private final long end;

    private long place;
    private long record;
    private boolean malformed;
    private long polledPlace;

    /** Makes what the reader hands out. */
    interface Renderer<T> {
        T record(long i);

        /** The n-th malformed line; null if records, not lines, are handed out. */
        @Nullable T malformed(long n);
    }

    TelecomReader(TelecomSettings settings, TelecomSplit split, Renderer<T> renderer, SourceContext context) {
        this.split = split;
        this.renderer = renderer;
        this.context = context;
        order = new TelecomOrder(settings, split.number(), split.of());
        dueTimes = settings.ratePerSecond() == 0 ? null : new DueTimes(context, settings.ratePerSecond(), split.of());
        badEvery = Math.max(1, settings.bad()); // never 0: the C2 of JDK 17 may divide ahead of the test for bad mode
        placesOfStep = settings.bad() == 0 ? 1 : 2;
        end = order.steps() * placesOfStep;
        settle();
    }

    static Renderer<Probe> records(TelecomGenerator generator) {
        return new Renderer<>() {
            @Override
            public Probe record(long i) {
                return generator.probe(i);
            }

            @Override
            public @Nullable Probe malformed(long n) {
                return null;
            }
        };
    }

    static Renderer<byte[]> lines(TelecomGenerator generator, LineFormat format) {
        LineEncoder encoder = new LineEncoder(format);
        return new Renderer<>() {
            @Override
            public byte[] record(long i) {
                return generator.line(i, encoder);
            }

            @Override
            public byte[] malformed(long n) {
                return MalformedLines.line(format, n);
            }
        };
    }

    @Override
    public @Nullable T poll() {
        while (place < end) {
            if (dueTimes != null) {
                if (!dueTimes.due()) {
                    return null;
                }
                dueTimes.take();
            }
            T value = malformed ? renderer.malformed(record / badEvery) : renderer.record(record);
            if (value == null) {
                byte[] line = MalformedLines.line(LineFormat.JSON, record / badEvery);
                context.bad(new BadRecord(split.name(), 0, place, "malformed on purpose", line));
            }
            polledPlace = place;
            place++;
            settle();
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** Goes on from the place at hand to the first that is not empty. */
    private void settle() {
        while (place < end) {
            long step = placesOfStep == 1 ? place : place >>> 1;
            record = order.recordAt(step);
            malformed = placesOfStep == 2 && (place & 1) == 1;
            if (malformed ? malformedAt(step) : order.emits(step, record)) {
                return;
            }
            place++;
        }
    }

    /** A malformed line has its place after its record's own, even if the record itself is held back. */
    private boolean malformedAt(long step) {
        return record != TelecomOrder.EMPTY && record % badEvery == 0 && !order.late(step);
    }

    @Override
    public boolean finished() {
        return place >= end;
    }

    @Override
    public long position() {
        return place;
    }

    @Override
    public void seek(long position) {
        if (position < 0 || position > end) {
            throw new IllegalArgumentException(split.name() + " has no position " + position);
        }
        place = position;
        settle();
    }

    @Override
    public long recordOffset() {
        return polledPlace;
    }

    @Override
    public long nextDueNs() {
        return dueTimes == null ? 0 : dueTimes.nextNs();
    }
}
