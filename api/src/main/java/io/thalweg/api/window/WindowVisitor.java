// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

/**
 * A method for each kind of window. None has a default, so a runner that lacks one does not compile.
 *
 * @param <R> what is made of a window
 */
public interface WindowVisitor<R> {
    /** Tumbling and sliding windows. */
    R aligned(WindowSpec.Aligned spec);

    /** Sessions. */
    R session(WindowSpec.Session spec);

    /** Windows of a number of records. */
    R count(WindowSpec.Count spec);

    /** One window over the whole input. */
    R whole(WindowSpec.Whole spec);
}
