// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.time.Duration;

/** What a source or a sink may ask of the runner while it waits for its system before the job starts. For the calling thread. */
public interface StartContext {
    /**
     * How long the connector may wait, counted from the start of the job: what the user has said for the job, else what the
     * connector says itself. With zero it tries once.
     *
     * @param own how long the connector waits by itself
     */
    Duration timeout(Duration own);

    /** How long ago the start of the job began, by the clock of the run. */
    Duration elapsed();

    /** Shows the user a message of one line, such as what the connector is waiting for. */
    void tell(String message);
}
