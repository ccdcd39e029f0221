// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.engine.chain.Receiver;
import org.jspecify.annotations.Nullable;

/** The side of {@link EventTimeStage} that the source's task sees: which split is current, and how far all have come. */
public interface TimeReader extends Receiver {
    /** All splits are silent and none has ended: their watermark counts for nothing. */
    long IDLE = Long.MIN_VALUE + 1;

    /** Once, before the first record. */
    void splits(int count);

    /** One more split, which begins at the watermark of those that are there: what it brings comes after that. */
    void add(long nowNs);

    /** For so long no split was read, because an output had no room: that does not make them idle. */
    void notRead(long forNs);

    /** The records that follow are of this split. */
    void begin(int split);

    /** The turn with the current split is over. */
    void end(boolean splitEnded, long nowNs);

    /** The record that follows is of this split and was read when it had this watermark; {@link #endAgain} is called next. */
    void beginAgain(int split, long watermark);

    void endAgain();

    /** Which splits wait for slower ones; null if none ever does. */
    @Nullable AlignedSplits aligned();

    /** Finds out which of them wait now. Only if there is {@link #aligned}. */
    void align(long nowNs);

    /** Name of the operator. */
    String operator();

    /** How far a split has come. */
    long watermarkOf(int split);

    /** How far a split had come at the checkpoint that the job continues from. Before the first record. */
    void restore(int split, long watermark, boolean ended);

    /** The least watermark of the splits that have neither ended nor are idle; Long.MAX_VALUE if all have ended. */
    long watermark(long nowNs);
}
