// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.python.arrow.Columns;
import org.jspecify.annotations.Nullable;

/**
 * What a process can be sent as record batches, and answer as such. Used by one child.
 *
 * @param rows null if rows cannot be sent
 * @param problem why they cannot
 * @param results null if results come as MessagePack
 */
record Arrow(
        @Nullable Columns rows, String problem, @Nullable Columns results) {
    /** @param row null if it is not known */
    static Arrow of(@Nullable Type<?> row, Type<?> result) {
        Columns results;
        try {
            results = Columns.ofResults(result);
        } catch (CodecException e) {
            results = null; // such as lists, which the process sends as it would without Arrow
        }
        if (row == null) {
            return new Arrow(null, "the type of the rows is not known; say it with .as(Type.of(…)) before", results);
        }
        try {
            return new Arrow(Columns.ofRows(row), "", results);
        } catch (CodecException e) {
            return new Arrow(null, String.valueOf(e.getMessage()), results);
        }
    }
}
