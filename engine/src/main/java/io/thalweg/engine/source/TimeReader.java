// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.engine.chain.Receiver;
import org.jspecify.annotations.Nullable;

/** {@link EventTimeStage} as the source task sees it: the current split, and the watermarks of all. */
public interface TimeReader extends Receiver {
    /** Sets the number of splits. Called once, before the first record. */
    void splits(int count);

    /** Adds a split that was discovered. It begins at the watermark of the others, so that it does not hold them back. */
    void add(long nowNs);

    /** No split was read for this time, because an output was full; the time does not count towards idleness. */
    void notRead(long forNs);

    /** The records that follow are of this split. */
    void begin(int split);

    /** The turn with the current split is over. */
    void end(boolean splitEnded, long nowNs);

    /** The next record is a retry from this split, which had this watermark when it was read. {@link #endAgain} must follow. */
    void beginAgain(int split, long watermark);

    void endAgain();

    /** Which splits wait for slower ones; null if watermarks are not aligned. */
    @Nullable AlignedSplits aligned();

    /** Updates which splits wait. Only if {@link #aligned} is not null. */
    void align(long nowNs);

    /** Name of the operator. */
    String operator();

    /** The watermark of a split. */
    long watermarkOf(int split);

    /** The stamp of the next record of a split: its watermark, or that of the task if time has gone on without it. */
    long stampOf(int split);

    /** As {@link io.thalweg.run.time.SplitWatermarks#counts} has it. */
    boolean counts(int split, long nowNs);

    /** Restores the watermark of a split from a checkpoint. Called before the first record. */
    void restore(int split, long watermark, boolean ended);

    /** As {@link io.thalweg.run.time.SplitWatermarks#least} has it. */
    long watermark(long nowNs);
}
