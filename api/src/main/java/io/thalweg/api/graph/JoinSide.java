// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.SideOutput;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One of two streams that are joined.
 *
 * @param key of type {@code Optional}; empty if the record has no key, so that it has no partner
 * @param records their type
 * @param outer whether a record without a partner is emitted too, when none can come any more
 * @param late side output for late records; null to drop them
 */
public record JoinSide(
        KeySpec key,
        Type<Object> records,
        boolean outer,
        @Nullable SideOutput<Object> late) implements Serializable {
    /** Where late records of both go, as far as anybody asked for them. */
    static List<SideOutput<Object>> late(JoinSide left, JoinSide right) {
        return Stream.of(left.late(), right.late()).filter(Objects::nonNull).toList();
    }

    /** {@code inner}, {@code left}, {@code right} or {@code full}. */
    static String kind(JoinSide left, JoinSide right) {
        if (left.outer()) {
            return right.outer() ? "full" : "left";
        }
        return right.outer() ? "right" : "inner";
    }
}
