// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.cli.tune.TunedFile;
import io.thalweg.doctor.tune.Choice;
import io.thalweg.doctor.tune.Choices;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import io.thalweg.run.StateLimit;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say with what a job works: {@code thalweg run} applies them, {@code thalweg tune} begins with them. */
final class WorkOptions {
    @Option(
            names = "--parallelism",
            paramLabel = "N",
            description =
                    "tasks for each operator that does not set its own parallelism; default: one per worker thread")
    private @Nullable Integer parallelism;

    @Option(names = "--threads", paramLabel = "N", description = "worker threads; default: one per core")
    private @Nullable Integer threads;

    @Option(
            names = "--idle",
            paramLabel = "spin|balanced|park",
            description = "what an idle worker does: polls, polls and then sleeps, or sleeps; default: balanced")
    private @Nullable String idle;

    @Option(
            names = "--tuned",
            paramLabel = "FILE",
            description = "settings that thalweg tune found; options of this command line go before them")
    private @Nullable String tuned;

    @Option(
            names = "--state-limit",
            paramLabel = "SIZE|none",
            description =
                    "the job fails if its operators keep more than this in memory, such as 500MB; default: 80%% of the heap")
    private @Nullable String stateLimit;

    /** The file of {@code --tuned}; null if there is none. */
    @Nullable TunedFile tunedFile() {
        if (tuned == null) {
            return null;
        }
        try {
            return TunedFile.read(Path.of(tuned));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--tuned: " + e.getMessage());
        }
    }

    /** What {@code --tuned} gave. */
    @Nullable String tuned() {
        return tuned;
    }

    /** @throws UsageException if one of them cannot be understood */
    RunSettings apply(RunSettings settings, @Nullable TunedFile tunedFile) {
        RunSettings next = tunedFile == null ? settings : tunedFile.settings(settings);
        if (threads != null && (threads < 1 || threads > RunSettings.MAX_THREADS)) {
            throw new UsageException("--threads must be from 1 to " + RunSettings.MAX_THREADS + ", not " + threads);
        }
        Integer tasks = tasks();
        try {
            next = tasks == null ? next : next.withParallelism(tasks);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--" + e.getMessage());
        }
        next = threads == null ? next : next.withThreads(threads);
        next = idle == null ? next : next.withIdle(idle(idle));
        return stateLimit == null ? next : next.withStateLimit(limit(stateLimit));
    }

    /** Threads alone set both: more tasks than threads only hand records to each other. */
    private @Nullable Integer tasks() {
        return parallelism == null && threads != null
                ? Integer.valueOf(Math.min(threads, RunSettings.MAX_PARALLELISM))
                : parallelism;
    }

    /** These and the file's as settings that can be tried; to be called after {@link #apply}, which checks them. */
    Choices choices(@Nullable TunedFile tunedFile) {
        Choices choices = tunedFile == null ? Choices.NONE : tunedFile.choices();
        choices = with(choices, Setting.THREADS, threads);
        choices = with(choices, Setting.PARALLELISM, tasks());
        return with(choices, Setting.IDLE, idle);
    }

    static Choices with(Choices choices, Setting setting, @Nullable Object value) {
        try {
            return value == null ? choices : choices.with(Choice.of(setting, value));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--" + setting.word() + ": " + e.getMessage());
        }
    }

    private static StateLimit limit(String text) {
        if (text.equals("none")) {
            return StateLimit.none();
        }
        long bytes = ByteSize.parse(text).orElse(0);
        if (bytes == 0) {
            throw new UsageException("--state-limit is a size such as 500kB, 10MB or 2GB, or none; not " + text);
        }
        return StateLimit.bytes(bytes);
    }

    private static Idle idle(String idle) {
        return switch (idle) {
            case "spin" -> Idle.SPIN;
            case "balanced" -> Idle.BALANCED;
            case "park" -> Idle.PARK;
            default -> throw new UsageException("--idle is spin, balanced or park, not " + idle);
        };
    }
}
