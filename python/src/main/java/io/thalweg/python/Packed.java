// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A batch that is ready to be sent, before the next one is packed.
 *
 * @param batch the rows that are in it
 * @param left those that are for another batch
 */
record Packed(Batch batch, List<Call> left, Body body) {
    /** Its message. */
    interface Body {
        void writeTo(OutputStream out) throws IOException;
    }
}
