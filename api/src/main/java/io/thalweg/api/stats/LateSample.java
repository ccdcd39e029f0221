// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * One of the late records. Texts are truncated to 200 characters and contain no control characters.
 *
 * @param record its text; empty if the operator counted it without saying which it was
 * @param split where it, or the batch it was in, came from; may be empty
 * @param timeMs its event time, in milliseconds since 1970; null if it had none
 * @param stampMs its stamp: the watermark that its split had before it; null if there was none
 * @param watermarkMs the watermark of the task when the record came; null if there was none
 * @param lateByMs as {@link LateRecords} says it; 0 if it is unknown
 */
public record LateSample(
        String record,
        String split,
        @Nullable Long timeMs,
        @Nullable Long stampMs,
        @Nullable Long watermarkMs,
        long lateByMs)
        implements Serializable {}
