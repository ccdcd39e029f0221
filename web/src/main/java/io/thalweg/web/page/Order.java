// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

import java.util.Locale;

/** What the page may have done to its job. */
public enum Order {
    /** Ends it as a signal does: what was read is processed, open windows are not emitted. */
    STOP,
    /** Ends it as if its input ended: windows are emitted, and it cannot be continued. */
    DRAIN,
    /** Takes a checkpoint that is kept. */
    SAVEPOINT;

    String path() {
        return "/api/" + name().toLowerCase(Locale.ROOT);
    }
}
