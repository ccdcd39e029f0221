// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A cell as a Flink job. */
final class FlinkJob {
    private static final long CHECKPOINT_MS = 1_000;

    private static final MemorySize NETWORK = MemorySize.ofMebiBytes(256);
    private static final String LOOPBACK = "127.0.0.1";

    private final Cell cell;

    private FlinkJob(Cell cell) {
        this.cell = cell;
    }

    static FlinkJob of(Cell cell) {
        switch (cell.variant()) {
            case "object-reuse", "chained", "unchained", "default" -> {}
            default -> throw new IllegalArgumentException("Flink has no variant " + cell.variant());
        }
        return new FlinkJob(cell);
    }

    /** Flink's options for it, those of variant and guarantee among them. */
    Configuration configuration() {
        Configuration options = new Configuration();
        options.set(PipelineOptions.OBJECT_REUSE, !cell.variant().equals("chained"));
        options.set(PipelineOptions.GENERIC_TYPES, false);
        if (!cell.kills()) { // else Flink's own, which begins with a second's delay
            options.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        }
        options.set(StateBackendOptions.STATE_BACKEND, "hashmap");
        options.set(TaskManagerOptions.NETWORK_MEMORY_MIN, NETWORK);
        options.set(TaskManagerOptions.NETWORK_MEMORY_MAX, NETWORK);
        options.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
        options.set(JobManagerOptions.BIND_HOST, LOOPBACK); // of the server of files, too
        options.set(RestOptions.ADDRESS, LOOPBACK);
        options.set(RestOptions.BIND_ADDRESS, LOOPBACK);
        if (cell.ratePerSecond() > 0) {
            options.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ZERO);
        }
        if (cell.guarantee() != Cell.Guarantee.NONE) {
            options.set(
                    CheckpointingOptions.CHECKPOINTING_INTERVAL,
                    Duration.ofMillis(cell.number("checkpoint-ms", CHECKPOINT_MS)));
            options.set(
                    CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE,
                    cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE
                            ? CheckpointingMode.EXACTLY_ONCE
                            : CheckpointingMode.AT_LEAST_ONCE);
            options.set(CheckpointingOptions.CHECKPOINT_STORAGE, "jobmanager");
        }
        return options;
    }

    void describe(StreamExecutionEnvironment environment) {
        Layout layout = new Layout(cell);
        switch (cell.workload()) {
            case RELAY -> RelayJob.of(cell).describe(environment, layout);
            case GROUP_BY -> GroupByJob.describe(environment, layout);
            case WINDOWS -> WindowsJob.describe(environment, layout);
            case TELECOM -> TelecomJob.describe(environment, layout);
            case FLATTEN -> TelecomJob.describeFlattener(environment, layout);
            default -> throw new IllegalArgumentException("no workload of Flink: " + cell.workload());
        }
    }
}
