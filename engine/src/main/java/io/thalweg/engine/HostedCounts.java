// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.stats.TaskStats;

/**
 * What one task has counted so far.
 *
 * @param reads it begins with a source
 * @param written records that its sinks were handed
 */
public record HostedCounts(TaskStats task, boolean reads, long written, long windowsOpen) {}
