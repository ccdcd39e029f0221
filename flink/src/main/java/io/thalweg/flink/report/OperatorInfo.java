// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import java.io.Serializable;

/**
 * Identifies an operator in messages.
 *
 * @param failOnBad the first bad record ends the job
 */
public record OperatorInfo(String topology, String operator, boolean failOnBad) implements Serializable {
    /** {@code topology 'quakes', operator 'parse', task 1}. */
    public String describe(int task) {
        return "topology '" + topology + "', operator '" + operator + "', task " + task;
    }
}
