// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs a job for a {@link Tuner}, each time in a JVM of its own. Used by one thread. */
public interface Trials {
    /** The name of the job's topology. */
    String topology();

    /**
     * Runs the job to its end.
     *
     * @param watched for the doctor, which makes it slower
     * @param atMost then the run is ended, and counts as failed
     * @throws InterruptedException if the user wants no more; nothing runs then
     */
    Measured run(Choices choices, boolean watched, Duration atMost) throws InterruptedException;

    /** Why the job cannot run with these settings, in one line, found out without running it; null if it can. */
    @Nullable String unfit(Choices choices);

    /** What the start and the end of a run, of the JVM and of an engine in it, may take beside the job. */
    Duration grace();

    /** What is left of the budget; not positive if it is over. */
    Duration left();
}
