// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.engine.chain.Specialiser;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** Makes results by a {@link ResultHandle}, which is a constant of a copy made by a specialiser. */
final class ResultsByHandle implements Results {
    private static final MethodHandle RESULT = Specialiser.constant(MethodHandles.lookup());

    @Override
    public @Nullable Object of(Rows rows, int row) throws Exception {
        try {
            return (Object) RESULT.invokeExact(rows, row);
        } catch (NullPointerException e) {
            // names the primitive component without a value, or throws the user's own exception again
            return rows.layout.result(rows, row);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
