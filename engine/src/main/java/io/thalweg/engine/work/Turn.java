// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

/** The result of a turn: one call of {@link Task#call}. */
public enum Turn {
    /** Did some work; call again soon. */
    BUSY,
    /** There was no input. */
    WAITING,
    /** An output is full (back-pressure). */
    HELD_BACK,
    /** Finished for good; never call again. */
    DONE
}
