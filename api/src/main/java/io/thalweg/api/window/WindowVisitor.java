// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

/**
 * A case for each kind of window. None has a default, so that whoever runs windows does not compile without one.
 *
 * @param <R> what is made of a kind
 */
public interface WindowVisitor<R> {
    R aligned(WindowSpec.Aligned spec);

    R session(WindowSpec.Session spec);

    R count(WindowSpec.Count spec);

    R whole(WindowSpec.Whole spec);
}
