// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import org.jspecify.annotations.Nullable;

/** Makes a record of a line. One instance serves one reader. */
@FunctionalInterface
public interface LineParser<T> {
    /**
     * Null if the line found last says nothing.
     *
     * @throws io.thalweg.files.record.MalformedException if it is bad
     */
    @Nullable T parse(LineInput lines);
}
