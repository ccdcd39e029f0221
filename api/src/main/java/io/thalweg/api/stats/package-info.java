// SPDX-License-Identifier: Apache-2.0
/**
 * What was measured of a job: {@link io.thalweg.api.stats.JobStats} and its parts. Progress, reports, {@code --stats} and tools read
 * nothing else.
 */
@NullMarked
package io.thalweg.api.stats;

import org.jspecify.annotations.NullMarked;
