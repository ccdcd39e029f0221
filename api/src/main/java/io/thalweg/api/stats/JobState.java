// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/** Where a job stands. */
public enum JobState {
    RUNNING,
    /** The input came to its end and all of it was processed. */
    FINISHED,
    /** Stopped on request, in good order. */
    CANCELLED,
    FAILED
}
