// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * An error that a task reported, or that ended its worker.
 *
 * @param component of the task
 * @param worker that it ran in: {@code host:port}
 * @param secondsAgo before the end of the observation
 * @param text in one line
 */
public record StormError(String component, String worker, long secondsAgo, String text) {}
