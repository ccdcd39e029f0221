// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.sql.SQLException;

/** The transaction is to be undone and done again at once: something is known now that was not when it began. */
final class TryAgain extends SQLException {
    private static final long serialVersionUID = 1L;

    TryAgain(SQLException cause) {
        super(cause.getMessage(), cause);
    }
}
