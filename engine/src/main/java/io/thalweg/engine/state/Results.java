// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.engine.chain.Specialiser;
import org.jspecify.annotations.Nullable;

/** Makes the result of a row's accumulator. */
interface Results {
    /** The rows have the layout that these were made for. */
    @Nullable Object of(Rows rows, int row) throws Exception;

    static Results of(Layout layout, Specialiser specialiser) {
        Results asAnArray = layout::result;
        try {
            return specialiser.make(ResultsByHandle.class, ResultHandle.of(layout), asAnArray);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return asAnArray; // the record is not open to us, or has too many components for a handle
        }
    }
}
