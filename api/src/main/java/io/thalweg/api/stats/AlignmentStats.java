// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/**
 * Splits of a task that are not read, because they are ahead of the slowest one of their source by more than {@code alignedWithin}
 * allows. All zero in a task that reads no source with aligned splits.
 *
 * @param heldSplits that wait now
 * @param heldNs nanoseconds that splits have waited, each counted for itself
 * @param aheadMs milliseconds by which the watermark of the task's first split is ahead of that of the slowest split of all tasks; 0
 *     as long as one of them has had no record
 */
public record AlignmentStats(int heldSplits, long heldNs, long aheadMs) {
    public static final AlignmentStats NONE = new AlignmentStats(0, 0, 0);
}
