// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.CheckpointingMode;

/** Thalweg's settings as Flink's options. */
final class FlinkOptions {
    private FlinkOptions() {}

    /** @throws TopologyException if a setting has no meaning on Flink */
    static void check(String topology, RunSettings settings) {
        AckSettings acks = settings.acks();
        if (settings.tries() > 0) {
            throw new TopologyException(topology, "", "Flink does not support --tries: leave it out, or run embedded");
        }
        if (settings.stateLimit().chosen()) {
            throw new TopologyException(
                    topology,
                    "",
                    "Flink keeps state by its own means and limits: leave out --state-limit, or run embedded");
        }
        if (acks != null && !acks.equals(AckSettings.defaults())) {
            throw new TopologyException(
                    topology,
                    "",
                    "Flink acknowledges records by checkpoints, not one by one: --max-pending and --ack-timeout are for"
                            + " --on embedded and --on storm");
        }
        if (settings.guarantee() != Guarantee.NONE && settings.checkpoints() == null) {
            throw new TopologyException(
                    topology,
                    "",
                    "on Flink every guarantee needs checkpoints: add --checkpoint-dir, a directory that all of the"
                            + " cluster's machines see");
        }
    }

    static Configuration of(String topology, RunSettings settings) {
        Configuration options = new Configuration();
        options.set(PipelineOptions.NAME, topology);
        options.set(PipelineOptions.OBJECT_REUSE, true); // our operators do not keep their input
        options.set(PipelineOptions.GENERIC_TYPES, false); // Kryo must never be used
        options.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ZERO); // EventTime sends them
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints == null || settings.guarantee() == Guarantee.NONE) {
            options.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
            return options;
        }
        options.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpoints.interval());
        options.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, checkpoints.timeout());
        options.set(
                CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE,
                settings.guarantee() == Guarantee.EXACTLY_ONCE
                        ? CheckpointingMode.EXACTLY_ONCE
                        : CheckpointingMode.AT_LEAST_ONCE);
        String directory = SavedJob.text(checkpoints.directory());
        options.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        options.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory);
        options.set(CheckpointingOptions.SAVEPOINT_DIRECTORY, directory);
        options.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, checkpoints.keep());
        options.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        restart(settings.restart(), options);
        return options;
    }

    private static Duration atLeastAMillisecond(Duration wait) {
        return wait.toMillis() == 0 ? Duration.ofMillis(1) : wait;
    }

    private static void restart(Restart restart, Configuration options) {
        if (restart.times() == 0) {
            options.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        } else { // fixed-delay would count the failures of the whole life of the job
            Duration wait = atLeastAMillisecond(restart.first());
            Duration longest = atLeastAMillisecond(restart.longest());
            Duration forgotten = Restart.FORGOTTEN_AFTER.compareTo(longest) > 0 ? Restart.FORGOTTEN_AFTER : longest;
            options.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
            options.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF, wait);
            options.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, longest);
            options.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER, 2.0);
            options.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_JITTER_FACTOR, 0.0);
            options.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD, forgotten);
            options.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, restart.times());
        }
    }
}
