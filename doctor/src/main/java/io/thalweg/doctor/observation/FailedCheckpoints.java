// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * How many of the newest checkpoints failed.
 *
 * @param times how many failed
 * @param of so many that ended
 * @param newest the newest of them is one that failed
 * @param cause of the newest failure, in one line; null if there was none or it is unknown
 */
public record FailedCheckpoints(
        int times, int of, boolean newest, @Nullable String cause) {}
