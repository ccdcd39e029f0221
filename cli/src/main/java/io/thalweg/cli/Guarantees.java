// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.engine.CheckpointSettings;
import io.thalweg.engine.Guarantee;
import io.thalweg.engine.Restart;
import io.thalweg.engine.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of {@code thalweg run} that say what is guaranteed, and what is needed for it. */
record Guarantees(Guarantee guarantee, @Nullable CheckpointSettings checkpoints, Restart restart) {
    private static final Pattern FIXED = Pattern.compile("fixed:([1-9][0-9]{0,8}):(.*)");
    private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})(ms|s|m|h)");

    /** @throws UsageException where they do not fit together */
    static Guarantees of(
            String name,
            @Nullable Path directory,
            @Nullable String interval,
            @Nullable String restore,
            List<String> discard,
            @Nullable String restart) {
        Guarantee guarantee = switch (name.toLowerCase(Locale.ROOT)) {
            case "none" -> Guarantee.NONE;
            case "at-least-once" -> Guarantee.AT_LEAST_ONCE;
            case "exactly-once" -> Guarantee.EXACTLY_ONCE;
            default -> throw new UsageException("--guarantee is none, at-least-once or exactly-once, not " + name);
        };
        if (guarantee == Guarantee.NONE) {
            if (directory != null || interval != null || restore != null || restart != null || !discard.isEmpty()) {
                throw new UsageException("checkpoints are for a job that guarantees something:"
                        + " add --guarantee exactly-once or at-least-once");
            }
            return new Guarantees(guarantee, null, Restart.none());
        }
        if (directory == null) {
            throw new UsageException("--guarantee " + name + " needs --checkpoint-dir DIR");
        }
        CheckpointSettings settings = CheckpointSettings.in(directory).discarding(Set.copyOf(discard));
        if (interval != null) {
            settings = settings.every(time("--checkpoint-interval", interval));
        }
        if (restore != null) {
            settings = restore.equals("latest") ? settings.restoringLatest() : settings.restoringFrom(Path.of(restore));
        } else if (!discard.isEmpty()) {
            throw new UsageException("--discard-state says what not to restore, and there is no --restore");
        }
        return new Guarantees(guarantee, settings, restart == null ? Restart.none() : restart(restart));
    }

    private static Restart restart(String text) {
        Matcher fixed = FIXED.matcher(text);
        if (fixed.matches()) {
            return Restart.fixed(Integer.parseInt(fixed.group(1)), time("--restart fixed:N:TIME", fixed.group(2)));
        }
        return switch (text) {
            case "none" -> Restart.none();
            case "backoff" -> Restart.backoff();
            default -> throw new UsageException("--restart is none, fixed:3:10s or backoff, not " + text);
        };
    }

    private static Duration time(String option, String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(
                    option + " takes a number of at most six digits and ms, s, m or h, such as 10s, not " + text);
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    RunSettings apply(RunSettings settings) {
        return checkpoints == null
                ? settings
                : settings.withGuarantee(guarantee, checkpoints).withRestart(restart);
    }
}
