// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/** What an operator does with the event times of its records. */
public enum Timing {
    /** What it emits has event times if all of its inputs have. */
    PASSES_ON,
    /** Assigns an event time to each record. This happens in the task of the source, where the splits are known. */
    ASSIGNS,
    /** Requires event times, and what it emits has them. */
    REQUIRES,
    /** What it emits has no event times. */
    NONE
}
