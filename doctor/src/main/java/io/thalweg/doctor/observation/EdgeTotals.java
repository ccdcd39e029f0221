// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * What went along an edge between tasks, or within one if its keys were looked at.
 *
 * @param from name of the operator that emits
 * @param to name of the operator that receives
 * @param records null if they cannot be told from those of other edges
 * @param bytes null if records are passed as references, or the engine does not tell
 * @param keys how they divide the records; null if the edge has none, or nobody looked
 */
public record EdgeTotals(
        String from,
        String to,
        @Nullable Long records,
        @Nullable Long bytes,
        @Nullable KeyShares keys) {}
