// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.cli.tune.TunedFile;
import io.thalweg.doctor.tune.Choices;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is guaranteed, and what is needed for it. */
final class GuaranteeOptions {
    private static final Pattern FIXED = Pattern.compile("fixed:([1-9][0-9]{0,8}):(.*)");

    /** As Flink has it. */
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(10);

    @Option(
            names = "--guarantee",
            paramLabel = "none|acked|at-least-once|exactly-once",
            description =
                    "how often each record counts after a failure; the last two need --checkpoint-dir, and so does acked if"
                            + " an operator keeps state; default: none")
    private String guarantee = "none";

    @Option(names = "--checkpoint-dir", paramLabel = "DIR", description = "directory for the job's checkpoints")
    private @Nullable Path checkpointDir;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            description =
                    "time between the starts of two checkpoints, such as 300ms, 10s (default) or 5m; the next of one that"
                            + " takes longer starts when it is complete")
    private @Nullable String checkpointInterval;

    @Option(
            names = "--checkpoint-timeout",
            paramLabel = "TIME",
            description = "aborts a checkpoint that is not complete after this time; default: 10m")
    private @Nullable String checkpointTimeout;

    @Option(
            names = "--restore",
            paramLabel = "latest|FILE",
            description =
                    "restores the newest intact checkpoint in DIR, or a given one; starts from the beginning if there is none")
    private @Nullable String restore;

    @Option(
            names = "--discard-state",
            paramLabel = "OPERATOR",
            description = "restores without the state of this operator; may be repeated")
    private List<String> discardState = new ArrayList<>();

    @Option(
            names = "--accept-changed-input",
            description = "restores the saved positions even if the input before them has changed or is gone")
    private boolean acceptChangedInput;

    @Option(
            names = "--accept-topology",
            paramLabel = "NAME",
            description = "restores a checkpoint of the topology with this other name")
    private @Nullable String acceptTopology;

    @Option(
            names = "--restart",
            paramLabel = "none|fixed:N:TIME|backoff",
            description =
                    "restarts a failed job from its last checkpoint: never (default), at most N times in a row after TIME each,"
                            + " or without limit after 1 s, 2 s, 4 s, up to a minute")
    private @Nullable String restart;

    @Option(
            names = "--stop-timeout",
            paramLabel = "TIME",
            description =
                    "after Ctrl-C, how long to wait for records in flight and a last checkpoint; default: 30s with a"
                            + " guarantee, 1s without")
    private @Nullable String stopTimeout;

    @Option(
            names = "--max-pending",
            paramLabel = "N",
            description = "acked: maximum records in flight per source task; default: 10000")
    private @Nullable Integer maxPending;

    @Option(
            names = "--ack-timeout",
            paramLabel = "TIME",
            description = "acked: retries a record that is not acked after this time; default: 30s")
    private @Nullable String ackTimeout;

    @Option(
            names = "--tries",
            paramLabel = "N",
            description =
                    "a record that fails N times in a row by itself goes to the dead letters, and the job continues;"
                            + " default: no limit")
    private @Nullable Integer tries;

    private boolean intervalGiven;

    /** What {@code --checkpoint-dir} gave. */
    @Nullable String directory() {
        return checkpointDir == null ? null : checkpointDir.toString();
    }

    /** @throws UsageException if they do not fit together */
    RunSettings apply(RunSettings settings, @Nullable TunedFile tuned) {
        Guarantee promised = promised();
        if ("".equals(directory())) {
            throw new UsageException("--checkpoint-dir is empty: name a directory; is a variable not set?");
        }
        intervalGiven = checkpointInterval != null;
        applyTuned(tuned, promised);
        if (tries != null && tries < 1) {
            throw new UsageException("--tries must be at least 1, not " + tries);
        }
        if (tries != null && tries > 1 && promised != Guarantee.ACKED && restart == null) {
            throw new UsageException(
                    "--tries " + tries + " needs --restart, or --guarantee acked: otherwise nothing is retried");
        }
        if (promised != Guarantee.ACKED && (maxPending != null || ackTimeout != null)) {
            throw new UsageException("--max-pending and --ack-timeout are for --guarantee acked");
        }
        if (checkpointDir == null) {
            boolean any = checkpointInterval != null
                    || checkpointTimeout != null
                    || restore != null
                    || restart != null
                    || accepts();
            if (promised == Guarantee.AT_LEAST_ONCE || promised == Guarantee.EXACTLY_ONCE || any) {
                throw new UsageException((any
                                ? "--checkpoint-interval, --checkpoint-timeout, --restore, --discard-state,"
                                        + " --accept-changed-input, --accept-topology and --restart need"
                                : "--guarantee " + guarantee + " needs")
                        + " --checkpoint-dir DIR");
            }
        } else if (promised == Guarantee.NONE) {
            throw new UsageException(
                    "--checkpoint-dir needs a guarantee:" + " add --guarantee exactly-once, at-least-once or acked");
        }
        RunSettings next = settings.withTries(tries == null ? 0 : tries);
        @Nullable CheckpointSettings checkpoints = checkpoints();
        if (promised == Guarantee.ACKED) {
            next = next.withAcks(acks(), checkpoints);
        } else if (checkpoints != null) {
            next = next.withGuarantee(promised, checkpoints);
        }
        next = stopTimeout == null ? next : next.withStopTimeout(time("--stop-timeout", stopTimeout));
        return restart == null ? next : next.withRestart(restart(restart));
    }

    /** Whether the interval of checkpoints is one of these options. */
    boolean saysInterval() {
        return intervalGiven;
    }

    /** Those settings that may be tried, with what these options say of them; to be called after {@link #apply}. */
    Choices choices(Choices start) {
        return WorkOptions.with(start, Setting.MAX_PENDING, maxPending);
    }

    /** Takes what a file of settings says where no option does. */
    private void applyTuned(@Nullable TunedFile tuned, Guarantee promised) {
        String pending = tuned == null ? null : tuned.value(Setting.MAX_PENDING);
        String interval = tuned == null ? null : tuned.value(Setting.CHECKPOINT_INTERVAL);
        if (tuned != null && pending != null) {
            if (promised != Guarantee.ACKED) {
                throw new UsageException("--tuned: "
                        + tuned.mistake(Setting.MAX_PENDING, "max-pending is for --guarantee acked")
                                .getMessage());
            }
            maxPending = maxPending == null ? Integer.valueOf(pending) : maxPending;
        }
        if (tuned != null && interval != null) {
            if (checkpointDir == null) {
                throw new UsageException("--tuned: "
                        + tuned.mistake(Setting.CHECKPOINT_INTERVAL, "checkpoint-interval needs --checkpoint-dir DIR")
                                .getMessage());
            }
            checkpointInterval = checkpointInterval == null ? interval : checkpointInterval;
        }
    }

    private boolean accepts() {
        return !discardState.isEmpty() || acceptChangedInput || acceptTopology != null;
    }

    private Guarantee promised() {
        return switch (guarantee.toLowerCase(Locale.ROOT)) {
            case "none" -> Guarantee.NONE;
            case "acked" -> Guarantee.ACKED;
            case "at-least-once" -> Guarantee.AT_LEAST_ONCE;
            case "exactly-once" -> Guarantee.EXACTLY_ONCE;
            default ->
                throw new UsageException("--guarantee is none, acked, at-least-once or exactly-once, not " + guarantee);
        };
    }

    private AckSettings acks() {
        AckSettings acks = AckSettings.defaults();
        if (maxPending != null) {
            if (maxPending < 1) {
                throw new UsageException("--max-pending must be at least 1, not " + maxPending);
            }
            acks = acks.withMaxPending(maxPending);
        }
        return ackTimeout == null ? acks : acks.withTimeout(time("--ack-timeout", ackTimeout));
    }

    private @Nullable CheckpointSettings checkpoints() {
        if (checkpointDir == null) {
            return null;
        }
        CheckpointSettings settings = CheckpointSettings.in(checkpointDir).discarding(Set.copyOf(discardState));
        if (checkpointInterval != null) {
            settings = settings.every(time("--checkpoint-interval", checkpointInterval));
        }
        if (checkpointTimeout != null) {
            Duration timeout = time("--checkpoint-timeout", checkpointTimeout);
            if (timeout.compareTo(LEAST_TIMEOUT) < 0) {
                throw new UsageException("--checkpoint-timeout must be at least 10ms, not " + checkpointTimeout);
            }
            settings = settings.withTimeout(timeout);
        }
        if (restore == null) {
            checkNothingIsAccepted();
            return settings;
        }
        settings = acceptChangedInput ? settings.acceptingChangedInput() : settings;
        settings = acceptTopology == null ? settings : settings.acceptingTopology(acceptTopology);
        return restore.equals("latest") ? settings.restoringLatest() : settings.restoringFrom(Path.of(restore));
    }

    private void checkNothingIsAccepted() {
        if (!discardState.isEmpty()) {
            throw new UsageException("--discard-state needs --restore: it says which state not to restore");
        }
        if (acceptChangedInput || acceptTopology != null) {
            throw new UsageException(
                    "--accept-changed-input and --accept-topology are for a job that is restored: add --restore latest");
        }
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

    /** A duration as options take it. */
    static Duration time(String option, String text) {
        return Durations.of(option, text);
    }
}
