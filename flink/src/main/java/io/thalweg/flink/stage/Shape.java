// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.flink.report.OperatorInfo;
import java.io.Serializable;

/**
 * What every operator is made with.
 *
 * @param timedIn records come as {@link io.thalweg.flink.record.Stamped}; with two inputs, those of both
 * @param timedOut they leave so
 * @param keyed they come grouped by key, and those whose key cannot be read among them
 * @param guarantee what the job promises; nothing without checkpoints
 */
public record Shape(OperatorInfo place, boolean timedIn, boolean timedOut, boolean keyed, Guarantee guarantee)
        implements Serializable {
    boolean checkpoints() {
        return guarantee != Guarantee.NONE;
    }
}
