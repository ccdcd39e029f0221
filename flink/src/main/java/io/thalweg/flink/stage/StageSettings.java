// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.flink.report.AllOpened;
import io.thalweg.flink.report.OperatorInfo;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What every operator is constructed with.
 *
 * @param timedIn records come as {@link io.thalweg.flink.record.Stamped}; with two inputs, those of both
 * @param timedOut emitted records are Stamped
 * @param keyed records are grouped by key, including those whose key cannot be computed
 * @param guarantee of the job; none without checkpoints
 * @param allOpened null if the job is not restored, or the operator keeps nothing
 */
public record StageSettings(
        OperatorInfo place,
        boolean timedIn,
        boolean timedOut,
        boolean keyed,
        Guarantee guarantee,
        @Nullable AllOpened allOpened)
        implements Serializable {
    boolean checkpoints() {
        return guarantee != Guarantee.NONE;
    }
}
