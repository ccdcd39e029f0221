// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.WriteTarget;
import java.io.IOException;
import java.util.List;

/** Receives every bad record. Must be thread-safe: several threads may call at once. */
@FunctionalInterface
public interface BadRecordListener {
    /**
     * Receives a bad record. Called on the task's thread, so it should return quickly.
     *
     * @param topology name of the topology
     * @param operator the source that could not read it, or the operator that rejected it
     * @param record where it came from, and why it is bad
     */
    void bad(String topology, String operator, BadRecord record);

    /**
     * Makes durable, against a power loss, what was received so far: a checkpoint is about to complete, after which
     * these records will not be read again. Embedded only; on Flink and Storm bad records are sent to the client.
     *
     * @throws IOException if that fails; the checkpoint then fails, and with it the job
     */
    default void force() throws IOException {}

    /** Where it keeps them. A job that reads there, or has a sink that writes there, is refused. */
    default List<WriteTarget> writes() {
        return List.of();
    }
}
