// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a user accepts of a checkpoint that does not fit.
 *
 * @param discard names of operators whose saved state is not restored
 * @param changedInput splits are read on from where they were saved even if they are not what they were
 * @param topology name of another topology whose checkpoint is used; null for none
 */
public record Tolerance(
        Set<String> discard, boolean changedInput, @Nullable String topology) implements Serializable {
    public static final Tolerance NONE = new Tolerance(Set.of(), false, null);

    public Tolerance {
        discard = Set.copyOf(discard);
    }
}
