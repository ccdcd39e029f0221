// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/** What a sink's writer tells beside its output. Its methods may be called from the writer's own calls only. */
public interface SinkReports {
    /**
     * Counts and keeps a record that turned out bad after {@link SinkWriter#write} had returned, as one of a batch does. A record that
     * is bad at once is told by throwing {@link io.thalweg.api.operator.BadRecordException} from {@code write}.
     *
     * @param record its split is the output, its offset the number of the record in this task, from 1
     * @throws RuntimeException if the job is to fail for it
     */
    void bad(BadRecord record);

    /** Tells the user something in one line, such as what is waited for. */
    default void warn(String message) {}

    /** Where nobody counts: a bad record is a failure. */
    static SinkReports none() {
        return record -> {
            throw new ConnectorException(record.describe());
        };
    }
}
