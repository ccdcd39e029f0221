// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.Type;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of an operator are for.
 *
 * @param keyed whether the function is called with a key and its state
 * @param row type of the rows; null if it is not known
 * @param result type of what it returns
 */
record Task(
        Program program,
        Options options,
        Kind kind,
        boolean keyed,
        @Nullable Type<?> row,
        Type<?> result) implements Serializable {
    private static final long serialVersionUID = 1L;
}
