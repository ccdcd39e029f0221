// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.operator.ConnectionReports;

/** What a sink's writer reports besides its output. Its methods may be called only from the writer's own calls. */
public interface SinkReports {
    /**
     * Counts and keeps a record that turned out bad after {@link SinkWriter#write} had returned, as one of a batch may.
     * A record that is bad immediately is reported by throwing {@link io.thalweg.api.operator.BadRecordException} from
     * {@code write}.
     *
     * @param record its split is the output, its offset the number of the record in this task, from 1
     * @throws RuntimeException if the job must fail because of it; the writer lets it pass
     */
    void bad(BadRecord record);

    /** Shows the user a message of one line, such as what the sink is waiting for. */
    default void warn(String message) {}

    /** Where the writer tells that it lost the system that it writes to. Any thread may report there. */
    default ConnectionReports connections() {
        return ConnectionReports.none();
    }

    /** The engine's clock, in nanoseconds from an arbitrary origin; it stands still outside a job. Any thread may ask. */
    default long nowNs() {
        return 0;
    }

    /** For writers outside a job: a bad record throws {@link ConnectorException}. */
    static SinkReports none() {
        return record -> {
            throw new ConnectorException(record.describe());
        };
    }
}
