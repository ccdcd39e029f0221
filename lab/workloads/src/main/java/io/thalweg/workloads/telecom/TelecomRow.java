// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.window.WindowResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of results: what {@code SELECT window, dimensions, sum(M1) … sum(M20) … GROUP BY window, dimensions} gives.
 *
 * @param dimensions values of the dimensions grouped by, as texts; null for an empty one
 * @param windowStart epoch milliseconds, inclusive
 * @param windowEnd epoch milliseconds, exclusive
 */
public record TelecomRow(List<@Nullable String> dimensions, long windowStart, long windowEnd, TelecomSums sums) {
    private static final TelecomDimension[] ALL = TelecomDimension.values();

    /** From a window over chosen dimensions. */
    public static TelecomRow of(WindowResult<DimensionKey, TelecomSums> result) {
        return new TelecomRow(result.key().values(), result.start(), result.end(), result.value());
    }

    /** From a window over all dimensions. */
    public static TelecomRow ofAll(WindowResult<Dimensions, TelecomSums> result) {
        return new TelecomRow(
                DimensionKey.of(result.key(), ALL).values(), result.start(), result.end(), result.value());
    }

    /** Names of what {@link #text} holds: the window's bounds, the dimensions and the measures. */
    public static List<String> columns(List<TelecomDimension> dimensions) {
        List<String> columns = new ArrayList<>(List.of("windowStart", "windowEnd"));
        dimensions.forEach(dimension -> columns.add(dimension.fieldName()));
        columns.addAll(TelecomSums.names());
        return columns;
    }

    /** The row as a line of CSV, without an end of line. Equal rows have equal texts. */
    public String text() {
        StringBuilder line =
                new StringBuilder(1_024).append(windowStart).append(',').append(windowEnd);
        for (String value : dimensions) {
            line.append(',').append(value == null ? "" : value);
        }
        sums.appendTo(line);
        return line.toString();
    }
}
