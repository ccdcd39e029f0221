// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.BadRecord;
import java.io.IOException;

/** Is handed every bad record; several threads may call at once. */
@FunctionalInterface
public interface BadRecordListener {
    void bad(String topology, String operator, BadRecord record);

    /**
     * What was handed over so far must survive a power loss: a checkpoint is about to be complete, after which these records do
     * not come again. Embedded only; on Flink and Storm bad records travel to the client by themselves.
     *
     * @throws IOException if it cannot; the checkpoint fails with it, and with that the job
     */
    default void force() throws IOException {}
}
