// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.operator.MapFunction;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of chosen dimensions, to group by. To group by all 62, {@link Probe#dimensions} is faster.
 *
 * @param values as texts; null for a dimension that is empty
 */
public record DimensionKey(List<@Nullable String> values) {
    /** The key of a record. */
    public static MapFunction<Probe, DimensionKey> by(List<TelecomDimension> dimensions) {
        return new ByDimensions(dimensions.toArray(new TelecomDimension[0]));
    }

    static DimensionKey of(Dimensions dimensions, TelecomDimension[] chosen) {
        @Nullable String[] values = new String[chosen.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = chosen[i].text(dimensions);
        }
        return new DimensionKey(Arrays.asList(values));
    }

    private static final class ByDimensions implements MapFunction<Probe, DimensionKey> {
        private static final long serialVersionUID = 1L;

        private final TelecomDimension[] chosen;

        ByDimensions(TelecomDimension[] chosen) {
            this.chosen = chosen;
        }

        @Override
        public DimensionKey apply(Probe probe) {
            return of(probe.dimensions(), chosen);
        }
    }
}
