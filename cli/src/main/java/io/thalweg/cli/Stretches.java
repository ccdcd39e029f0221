// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.cli.report.Quantities;
import io.thalweg.cli.tune.StretchRecorder;
import io.thalweg.cli.tune.StretchRecorder.Recorded;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code --record} asks for: a stretch of time, or a number of records.
 *
 * @param wanted as it was given
 * @param records at most
 * @param atMost how long
 * @param bytes at most
 */
record Stretches(String wanted, long records, Duration atMost, long bytes) {
    private static final long BYTES = 1_000_000_000;

    /** How long a number of records is waited for. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * Reads the options.
     *
     * @param record null if nothing is to be recorded
     * @param limit of its size; null for the default
     * @return null if nothing is to be recorded
     * @throws UsageException if they are wrong
     */
    static @Nullable Stretches of(@Nullable String record, @Nullable String limit) {
        if (record == null) {
            if (limit != null) {
                throw new UsageException("--record-limit is for --record, which is not given");
            }
            return null;
        }
        long bytes = BYTES;
        if (limit != null) {
            OptionalLong given = ByteSize.parse(limit);
            bytes = given.orElse(0);
            if (bytes == 0) {
                throw new UsageException("--record-limit is a size such as 500kB, 10MB or 2GB, not " + limit);
            }
        }
        if (record.matches("[1-9][0-9]{0,17}")) {
            return new Stretches(record, Long.parseLong(record), PATIENCE, bytes);
        }
        if (!record.matches("[1-9][0-9]{0,5}(ms|s|m|h)")) {
            throw new UsageException("--record takes a time such as 30s or 5m, or a number of records, not " + record);
        }
        return new Stretches(record, Long.MAX_VALUE, Durations.of("--record", record), bytes);
    }

    /** @throws UsageException if no source of the job is live */
    StretchRecorder recorder(TopologyGraph graph) {
        if (graph.nodes().stream()
                .noneMatch(node -> node.spec().source() != null
                        && RepeatableInput.isLive(node.spec().source()))) {
            throw new UsageException(
                    "no source of '" + graph.name()
                            + "' is live: each ends, and can be read again, so that there is nothing to record; leave out --record");
        }
        return new StretchRecorder(graph, RepeatableInput::isLive, records, bytes);
    }

    /**
     * Records, and tells what.
     *
     * @throws ConnectorException if nothing came
     */
    void record(StretchRecorder recorder, Consumer<String> tell) throws InterruptedException {
        tell.accept("recording the live sources, "
                + (records == Long.MAX_VALUE ? "for " + wanted : Quantities.count(records) + " records"));
        Recorded recorded = recorder.record(atMost, tell);
        if (recorder.isStopped()) {
            return;
        }
        String from = recorded.records().keySet().stream()
                .sorted()
                .map(operator -> "'" + operator + "'")
                .collect(Collectors.joining(", "));
        if (recorded.total() == 0) {
            throw new ConnectorException(
                    recorded.full()
                            ? "the first record of " + from + " is larger than --record-limit; give a larger one"
                            : "no record came from " + from + (records == Long.MAX_VALUE ? " within " + wanted : "")
                                    + (recorded.bad() == 0 ? "" : ", but " + recorded.bad() + " that could not be read")
                                    + ", so there is nothing to tune with; is it the right source, and does something"
                                    + " write to it now? --record takes a longer time, too");
        }
        tell.accept(told(recorded));
    }

    private String told(Recorded recorded) {
        String counts = recorded.records().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> Quantities.count(each.getValue()) + " of '" + each.getKey() + "'")
                .collect(Collectors.joining(", "));
        return "recorded " + counts + ": " + Quantities.count(recorded.bytes()) + " bytes"
                + (recorded.bad() == 0
                        ? ""
                        : "; " + Quantities.count(recorded.bad()) + " that could not be read are left out")
                + (recorded.full() ? ", all that --record-limit allows" : "")
                + (!recorded.full() && records != Long.MAX_VALUE && recorded.total() < records
                        ? ", which is all that came"
                        : "");
    }
}
