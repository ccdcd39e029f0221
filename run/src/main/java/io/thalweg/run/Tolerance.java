// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Differences that a user accepts between a checkpoint and the job that restores it.
 *
 * @param discard names of operators whose saved state is not restored
 * @param changedInput true to read splits on from their saved positions even if their content has changed
 * @param topology name of another topology whose checkpoint is used; null for none
 */
public record Tolerance(
        Set<String> discard, boolean changedInput, @Nullable String topology) implements Serializable {
    /** No difference is accepted. */
    public static final Tolerance NONE = new Tolerance(Set.of(), false, null);

    /** Copies the names. */
    public Tolerance {
        discard = Set.copyOf(discard);
    }
}
