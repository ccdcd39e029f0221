// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import static io.thalweg.api.operator.Aggregates.named;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several aggregates at once, some whose accumulators are longs and some whose are objects, in turns. */
record Mixed(
        List<Event> top,
        long count,
        @Nullable Double highest,
        @Nullable Double lowest,
        long different,
        double halves,
        @Nullable Double known,
        @Nullable String name,
        @Nullable Integer least,
        @Nullable Double mean)
        implements Serializable {

    static Aggregate<Event, ?, Mixed> aggregate() {
        return Aggregates.into(
                Mixed.class,
                named("top", Aggregates.top(2, Type.of(Event.class), Event::order)),
                named("count", Aggregates.count()),
                named("highest", Aggregates.max(Mixed::strange)),
                named("lowest", Aggregates.min(Mixed::strange)),
                named("different", Aggregates.distinct(Functions::valueOrNull)),
                named("halves", Aggregates.sumDouble(Functions::half)),
                named("known", Aggregates.sumOfDoubles(Mixed::halfOrNull)),
                named("name", Aggregates.max(Event::key)),
                named("least", Aggregates.min(Mixed::small)),
                named("mean", Aggregates.mean(Mixed::halfOrNull)));
    }

    /** Often a double that is easy to get wrong. */
    static @Nullable Double strange(Event event) {
        return switch ((int) Math.floorMod(event.value(), 9L)) {
            case 0 -> null;
            case 1 -> -0.0;
            case 2 -> 0.0;
            case 3 -> event.value() % 4 == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
            case 4 -> Double.NEGATIVE_INFINITY;
            case 5 -> -event.value() * 0.25;
            default -> event.value() * 0.5;
        };
    }

    private static @Nullable Double halfOrNull(Event event) {
        return event.value() % 6 == 2 ? null : Double.valueOf(Functions.half(event));
    }

    private static @Nullable Integer small(Event event) {
        return event.value() % 5 == 1 ? null : Integer.valueOf((int) event.value());
    }
}
