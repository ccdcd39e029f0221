// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.io.Serializable;

/**
 * How far the reading of a split is behind its end.
 *
 * @param split name of the split
 * @param lag how much of it is there and has not been read by the task, in the split's own unit: messages of a partition
 */
public record SplitLag(String split, long lag) implements Serializable {}
