// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The generator as a replayable source: of {@link Probe} records, or of lines of JSON or CSV without their ends. Malformed
 * lines of bad mode come among the lines; a source of records reports them as bad ones itself.
 *
 * <p>With several splits each one takes turns of whole blocks, so that all of them keep step in event time and the bound
 * {@link #maxDisorder} holds for each.
 */
public final class TelecomSource<T> implements Source<T> {
    private static final long serialVersionUID = 1L;

    private final TelecomSettings settings;
    private final Type<T> type;
    private final Rendering<T> rendering;

    /** How a source makes what it emits. */
    interface Rendering<T> extends Serializable {
        TelecomReader.Renderer<T> open(TelecomGenerator generator);
    }

    private TelecomSource(TelecomSettings settings, Type<T> type, Rendering<T> rendering) {
        this.settings = settings;
        this.type = type;
        this.rendering = rendering;
    }

    public static TelecomSource<Probe> records(TelecomSettings settings) {
        return new TelecomSource<>(settings, Type.of(Probe.class), TelecomReader::records);
    }

    public static TelecomSource<byte[]> jsonLines(TelecomSettings settings) {
        return new TelecomSource<>(
                settings, Type.of(byte[].class), generator -> TelecomReader.lines(generator, LineFormat.JSON));
    }

    /** Lines of CSV, with no header among them: {@link #csvColumns} says what it would be. */
    public static TelecomSource<byte[]> csvLines(TelecomSettings settings) {
        return new TelecomSource<>(
                settings, Type.of(byte[].class), generator -> TelecomReader.lines(generator, LineFormat.CSV));
    }

    /** {@code time}, the dimensions and the measures, in the order of a line of CSV. */
    public static List<String> csvColumns() {
        return LineFormat.fieldNames();
    }

    /** The disorder to allow for in event time. */
    public Duration maxDisorder() {
        return settings.maxDisorder();
    }

    @Override
    public String name() {
        return "telecom " + settings.size().name();
    }

    @Override
    public Type<T> type() {
        return type;
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public List<String> splits(int parallelism) {
        int count = settings.splitsFor(parallelism);
        return IntStream.range(0, count)
                .mapToObj(number -> new TelecomSplit(number, count).name())
                .toList();
    }

    @Override
    public SplitReader<T> open(String split, SourceContext context) {
        TelecomGenerator generator = new TelecomGenerator(settings.size());
        return new TelecomReader<>(settings, TelecomSplit.named(split), rendering.open(generator), context);
    }
}
