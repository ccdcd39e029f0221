// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.stats.BadReason;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Says when a job has more bad records than its {@link BadLimit} allows. One thread at a time may call. */
public final class BadWatch {
    /** Fewer in a minute say nothing of those to come. */
    private static final long LEAST = 1_000;

    private static final long SAMPLE_EVERY_NS = 1_000_000_000L;
    private static final long MINUTE_NS = 60 * SAMPLE_EVERY_NS;

    private record Sample(long atNs, long read, long bad) {}

    private final String topology;
    private final BadLimit limit;
    private final Supplier<BadReasons> reasons;

    /** Of the last minute, and the newest before it. */
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /** @param reasons as they are when the job fails */
    public BadWatch(String topology, BadLimit limit, Supplier<BadReasons> reasons) {
        this.topology = topology;
        this.limit = limit;
        this.reasons = reasons;
    }

    /** True if it is time to ask {@link #running}: once a second. */
    public boolean isDue(long nowNs) {
        return !limit.isNone() && (samples.isEmpty() || nowNs - samples.getLast().atNs >= SAMPLE_EVERY_NS);
    }

    /**
     * Of a job that runs: why it fails; null if it does not.
     *
     * @param nowNs by the engine's clock
     */
    public @Nullable JobFailedException running(long nowNs, BadTally now) {
        if (!isDue(nowNs)) {
            return null;
        }
        samples.addLast(new Sample(nowNs, now.read(), now.bad()));
        while (samples.size() > 1 && nowNs - second().atNs >= MINUTE_NS) {
            samples.removeFirst();
        }
        if (now.records() > limit.records()) {
            return tooMany(now);
        }
        Sample then = samples.getFirst();
        long read = now.read() - then.read;
        long bad = now.bad() - then.bad;
        boolean tooMany = nowNs - then.atNs >= MINUTE_NS && read >= LEAST && bad > 0 && bad >= limit.share() * read;
        return tooMany
                ? failure(count(bad) + " of " + count(read) + " records of the last minute were bad, and the limit is "
                        + percent())
                : null;
    }

    private Sample second() {
        var each = samples.iterator();
        each.next();
        return each.next();
    }

    /** Of a job whose input has ended: why it fails; null if it does not. */
    public @Nullable JobFailedException ended(BadTally all) {
        if (limit.isNone() || all.bad() == 0) {
            return null;
        }
        if (all.records() > limit.records()) {
            return tooMany(all);
        }
        if (all.bad() >= all.read()) {
            return failure("not one of " + count(all.read()) + " records was good");
        }
        return all.bad() > limit.share() * all.read()
                ? failure(count(all.bad()) + " of " + count(all.read()) + " records were bad, and the limit is "
                        + percent())
                : null;
    }

    private JobFailedException tooMany(BadTally tally) {
        return failure(count(tally.records()) + " records were bad, and the limit is " + count(limit.records()));
    }

    private JobFailedException failure(String what) {
        List<BadReason> first = reasons.get().most(1);
        String why = first.isEmpty() ? "" : "; most often, " + describe(first.get(0));
        return new JobFailedException(
                "topology '" + topology + "': " + what + why
                        + "; is it the input that the job expects? Another limit is set with --max-bad",
                null);
    }

    private static String describe(BadReason reason) {
        return count(reason.count()) + (reason.count() == 1 ? " time" : " times") + ", operator '" + reason.operator()
                + "'" + (reason.place().isEmpty() ? "" : ", first in " + reason.place()) + ": " + reason.example();
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 50 %}, {@code 0.5 %}. */
    private String percent() {
        return String.format(Locale.ROOT, "%.4f", limit.share() * 100).replaceFirst("\\.?0*$", "") + " %";
    }
}
