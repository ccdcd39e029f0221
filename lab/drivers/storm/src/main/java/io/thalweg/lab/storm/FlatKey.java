// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** All dimensions of a probe, as texts; its hash is computed once. */
record FlatKey(@Nullable String[] dimensions, int hash) {
    FlatKey(@Nullable String[] dimensions) {
        this(dimensions, Arrays.hashCode(dimensions));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FlatKey key && key.hash == hash && Arrays.equals(key.dimensions, dimensions);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
