// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * How often the job was started again while it was observed.
 *
 * @param times number of restarts
 * @param cause the failure before the last restart, in one line; null if there was none or it is unknown
 */
public record Restarts(int times, @Nullable String cause) {}
