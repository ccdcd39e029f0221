// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

/** What the function's results are. */
enum Kind {
    /** A value for each row. */
    MAP,
    /** Whether the row stays. */
    FILTER,
    /** Any number of values for each row. */
    FLAT_MAP
}
