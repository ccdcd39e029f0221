// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.sql.SQLException;

/** The transaction is to be undone and done again. */
final class TryAgain extends SQLException {
    private static final long serialVersionUID = 1L;

    private final boolean atOnce;

    private TryAgain(SQLException cause, boolean atOnce) {
        super(cause.getMessage(), cause);
        this.atOnce = atOnce;
    }

    /** Something is known now that was not when it began. */
    static TryAgain atOnce(SQLException cause) {
        return new TryAgain(cause, true);
    }

    /** Somebody else may be in the way, for as long as the user has patience. */
    static TryAgain later(SQLException cause) {
        return new TryAgain(cause, false);
    }

    boolean atOnce() {
        return atOnce;
    }
}
