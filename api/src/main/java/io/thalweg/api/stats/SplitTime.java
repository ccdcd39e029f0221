// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import org.jspecify.annotations.Nullable;

/**
 * How far a split has come in event time. Windows fire no further than the split that is least far.
 *
 * @param operator that reads event times: {@code eventTime}
 * @param split name of the split
 * @param watermarkMs in milliseconds since 1970; null as long as it has had no record with an event time
 */
public record SplitTime(
        String operator, String split, @Nullable Long watermarkMs) {}
