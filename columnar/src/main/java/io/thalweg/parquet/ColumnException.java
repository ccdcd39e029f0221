// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.util.List;

/** A column cannot be read; the message is for the user. The Parquet library may wrap it in exceptions of its own. */
final class ColumnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ColumnException(List<String> column, String reason) {
        super("column '" + String.join(".", column) + "': " + reason, null, false, false);
    }
}
