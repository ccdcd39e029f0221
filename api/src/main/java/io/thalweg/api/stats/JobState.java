// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/** The state of a job. */
public enum JobState {
    /** The job has been started and has not ended. */
    RUNNING,
    /** The input ended and was completely processed. */
    FINISHED,
    /** Stopped on request, in an orderly way. */
    CANCELLED,

    /** Ended by a failure. */
    FAILED
}
