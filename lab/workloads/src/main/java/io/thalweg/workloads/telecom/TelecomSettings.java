// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.topology.SettingException;
import io.thalweg.api.topology.Settings;
import java.io.Serializable;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * What to generate, how fast and in which order.
 *
 * @param records how many; {@link #ENDLESS} for no end. Late mode leaves out those held back in the last windows
 * @param ratePerSecond records to be due each second over all splits; 0 for as fast as they are asked for
 * @param disorder k: blocks of 2^k records come in bit-reversed order; 0 for none
 * @param late Z: every Z-th record is held back until it is late, a power of two; 0 for none
 * @param bad Y: a malformed line comes after each record whose number Y divides; 0 for none
 * @param splits how many readers share the records, in turns of whole blocks; 0 for one for each task that reads, or a
 *     single one in late mode
 */
public record TelecomSettings(
        TelecomSize size, long records, long ratePerSecond, int disorder, int late, long bad, int splits)
        implements Serializable {
    public static final long ENDLESS = 1L << 60;

    public TelecomSettings {
        require(records >= 0 && records <= ENDLESS, "records must be from 0 to 2^60, not " + records);
        require(
                ratePerSecond >= 0 && ratePerSecond <= 1_000_000_000,
                "rate must be from 0 to 10^9, not " + ratePerSecond);
        require(
                disorder >= 0 && disorder <= size.log2WindowRecords(),
                "disorder must be from 0 to " + size.log2WindowRecords() + ", not " + disorder);
        require(
                late == 0 || (late >= 2 && late <= size.slots() && Integer.bitCount(late) == 1),
                "late must be 0 or a power of two from 2 to " + size.slots() + ", not " + late);
        require(bad >= 0, "bad must be 0 or more, not " + bad);
        require(splits >= 0, "splits must be 0 or more, not " + splits);
        require(late == 0 || splits <= 1, "late records need a single split, not " + splits);
    }

    /** An endless stream in order, as fast as it goes. */
    public static TelecomSettings of(TelecomSize size) {
        return new TelecomSettings(size, ENDLESS, 0, 0, 0, 0, 0);
    }

    /**
     * What a user set for a job: {@code size}, {@code records}, {@code rate}, {@code disorder}, {@code late} and
     * {@code bad}. Without settings it is a million records in order; {@code records=0} has no end.
     *
     * @throws SettingException if a value does not fit
     */
    public static TelecomSettings from(Settings settings) {
        String size = settings.text("size", "small");
        long records = settings.number("records", 1_000_000);
        TelecomSettings result = checked("size", size, () -> of(TelecomSize.named(size)));
        result = with(result, "records", records == 0 ? ENDLESS : records, TelecomSettings::withRecords);
        result = with(result, "rate", settings.number("rate", 0), TelecomSettings::withRatePerSecond);
        result = with(result, "disorder", settings.number("disorder", 0), (s, k) -> s.withDisorder(clamped(k)));
        result = with(result, "late", settings.number("late", 0), (s, z) -> s.withLate(clamped(z)));
        return with(result, "bad", settings.number("bad", 0), TelecomSettings::withBad);
    }

    private static TelecomSettings with(
            TelecomSettings before, String key, long value, BiFunction<TelecomSettings, Long, TelecomSettings> change) {
        return checked(key, Long.toString(value), () -> change.apply(before, value));
    }

    static <V> V checked(String key, String value, Supplier<V> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new SettingException(key, value, String.valueOf(e.getMessage()));
        }
    }

    private static int clamped(long value) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    }

    public TelecomSettings withRecords(long count) {
        return new TelecomSettings(size, count, ratePerSecond, disorder, late, bad, splits);
    }

    public TelecomSettings withRatePerSecond(long rate) {
        return new TelecomSettings(size, records, rate, disorder, late, bad, splits);
    }

    public TelecomSettings withDisorder(int k) {
        return new TelecomSettings(size, records, ratePerSecond, k, late, bad, splits);
    }

    public TelecomSettings withLate(int z) {
        return new TelecomSettings(size, records, ratePerSecond, disorder, z, bad, splits);
    }

    public TelecomSettings withBad(long y) {
        return new TelecomSettings(size, records, ratePerSecond, disorder, late, y, splits);
    }

    public TelecomSettings withSplits(int count) {
        return new TelecomSettings(size, records, ratePerSecond, disorder, late, bad, count);
    }

    /** The number of splits, where so many tasks read. */
    int splitsFor(int parallelism) {
        return splits != 0 ? splits : late != 0 ? 1 : parallelism;
    }

    /** The disorder to allow for: with it nothing is dropped but what late mode means to be dropped. */
    public Duration maxDisorder() {
        return Duration.ofMillis(maxDisorderMs());
    }

    long maxDisorderMs() {
        return disorder == 0 ? 0 : ceilDiv(TelecomSize.WINDOW_MS << disorder, size.windowRecords()) + 1;
    }

    /** How many windows later the records held back of a window are emitted. */
    int windowsHeldBack() {
        return (int) (1 + ceilDiv(maxDisorderMs(), TelecomSize.WINDOW_MS));
    }

    boolean endless() {
        return records == ENDLESS;
    }

    /** Windows that have records, the last of them perhaps in part. */
    long windows() {
        return ceilDiv(records, size.windowRecords());
    }

    /** True for the records that late mode holds back, in whichever window. */
    boolean heldBack(long i) {
        return late != 0 && (i & (late - 1)) == late - 1;
    }

    /** Malformed lines among all lines. */
    public long badLines() {
        return bad == 0 ? 0 : ceilDiv(records, bad);
    }

    /** Records that come too late for their window, and are dropped. */
    public long lateRecords() {
        return windowsOfLateRecords() * lateRecordsOfWindow();
    }

    /** So many windows, from the first on, have records that come too late. */
    long windowsOfLateRecords() {
        return late == 0 ? 0 : Math.max(0, windows() - windowsHeldBack());
    }

    long lateRecordsOfWindow() {
        return late == 0 ? 0 : size.windowRecords() / late;
    }

    /** Records that never come: those held back in the last windows. */
    private long recordsLeftOut() {
        if (late == 0) {
            return 0;
        }
        // of any run of records that starts at a window, floor(length / late) are held back
        return records / late - lateRecords();
    }

    /** Well-formed records that come, those that come late included. */
    public long recordsEmitted() {
        return records - recordsLeftOut();
    }

    private static long ceilDiv(long dividend, long divisor) {
        return Math.floorDiv(dividend + divisor - 1, divisor);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
