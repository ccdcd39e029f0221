// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

/** How a task's turn went. */
public enum Turn {
    /** Got something done; call again soon. */
    BUSY,
    /** There was no input. */
    WAITING,
    /** An output has no room. */
    HELD_BACK,
    /** Finished for good; never call again. */
    DONE
}
