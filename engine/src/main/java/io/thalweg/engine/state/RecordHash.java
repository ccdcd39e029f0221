// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.engine.chain.Specialiser;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** Hashes records of one class by their {@link ComponentHash}, which is a constant of a copy made by a specialiser. */
final class RecordHash implements KeyHash {
    private static final MethodHandle HASH = Specialiser.constant(MethodHandles.lookup());

    @Override
    public int of(Object key) {
        try {
            return (int) HASH.invokeExact(key);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) { // a hashCode throws no checked exception
            throw new IllegalStateException(e);
        }
    }
}
