// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** Makes results by a {@link ResultHandle}, which is a constant of a copy made by a specialiser. */
final class ResultsByHandle implements Results {
    private static final MethodHandle RESULT = constant();

    private static MethodHandle constant() {
        try {
            return MethodHandles.classData(MethodHandles.lookup(), "_", MethodHandle.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public @Nullable Object of(Rows rows, int row) throws Exception {
        try {
            return (Object) RESULT.invokeExact(rows, row);
        } catch (NullPointerException e) {
            return rows.layout.result(
                    rows, row); // names the primitive component without a value, or throws the user's again
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
