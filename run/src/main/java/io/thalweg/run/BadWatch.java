// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.stats.BadReason;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides when a job has more bad records than its {@link BadLimit} allows. Must be called by one thread at a time. */
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

    /**
     * Watches one job.
     *
     * @param topology name, for messages
     * @param limit of the job
     * @param reasons the counts at the moment the job fails, for the message
     */
    public BadWatch(String topology, BadLimit limit, Supplier<BadReasons> reasons) {
        this.topology = topology;
        this.limit = limit;
        this.reasons = reasons;
    }

    /** Whether {@link #running} should be called: once a second. */
    public boolean isDue(long nowNs) {
        return !limit.isNone() && (samples.isEmpty() || nowNs - samples.getLast().atNs >= SAMPLE_EVERY_NS);
    }

    /**
     * Checks a running job.
     *
     * @param nowNs by the engine's clock
     * @param now counts so far
     * @return why the job fails; null if it does not
     */
    public @Nullable JobFailedException running(long nowNs, BadRecordCount now) {
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

    /**
     * Checks a job whose input has ended.
     *
     * @return why the job fails; null if it does not
     */
    public @Nullable JobFailedException ended(BadRecordCount all) {
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

    private JobFailedException tooMany(BadRecordCount tally) {
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
