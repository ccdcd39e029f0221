// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.util.List;

/** A column that cannot be read; the message is for the user. The libraries let it through, wrapped in their own. */
final class ColumnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ColumnException(List<String> column, String reason) {
        super("column '" + String.join(".", column) + "': " + reason, null, false, false);
    }
}
