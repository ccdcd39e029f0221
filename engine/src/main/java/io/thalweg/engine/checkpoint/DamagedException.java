// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import java.io.IOException;
import java.io.Serial;

/**
 * A checkpoint was read, and its bytes are not what was written. Any other {@link IOException} says that the disk did not give them: then
 * the checkpoint may be whole.
 */
final class DamagedException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    DamagedException(String message) {
        super(message);
    }

    DamagedException(String message, Throwable cause) {
        super(message, cause);
    }
}
