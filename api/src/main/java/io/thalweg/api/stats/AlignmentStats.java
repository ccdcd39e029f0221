// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/**
 * Watermark alignment of the splits of a task: splits that are not read because they are ahead of the slowest split of
 * their source by more than {@code alignedWithin} allows. All zero in a task that reads no source with aligned splits.
 *
 * @param heldSplits splits that are paused now
 * @param heldNs total time that splits were paused, in nanoseconds; each split is counted separately
 * @param aheadMs milliseconds by which the watermark of the task's first split is ahead of that of the slowest split of
 *     all tasks; 0 while a split has had no record
 */
public record AlignmentStats(int heldSplits, long heldNs, long aheadMs) {
    /** All zero. */
    public static final AlignmentStats NONE = new AlignmentStats(0, 0, 0);
}
