// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import org.jspecify.annotations.Nullable;

/** Takes one value from a text, white space before it included. Knows no state, so one serves all threads. */
@FunctionalInterface
interface ValueReader {
    /** Null if the text says {@code null}, and only for what may be null. */
    @Nullable Object read(JsonInput in);
}
