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

    /**
     * Makes a record of the next line, before anybody has looked for its end, and takes the line. Null, with nothing taken, if the
     * line is not an ordinary one, or not all of it was read yet: then it is to be found and given to {@link #parse}.
     */
    default @Nullable T parseNext(LineInput lines) {
        return null;
    }
}
