// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.io.Serializable;

/** Which task of the next operator a record goes to. */
public sealed interface Grouping extends Serializable {
    /** Nothing was asked for: forward if both sides have the same parallelism, shuffle if not. */
    record Auto() implements Grouping {}

    /** Task i to task i; both sides must have the same parallelism. */
    record Forward() implements Grouping {}

    /** To each task in turn. */
    record Shuffle() implements Grouping {}

    /** Stays where it is if it can: forward if both sides have the same parallelism, shuffle if not. */
    record LocalOrShuffle() implements Grouping {}

    /** To the task that owns the key's group. */
    record ByKey(KeySpec key) implements Grouping {}

    /** To every task. */
    record Broadcast() implements Grouping {}

    /** To task 0. */
    record Global() implements Grouping {}

    /** True if records stay in their task if both sides have the same parallelism. */
    default boolean leadsOn() {
        return this instanceof Auto || this instanceof Forward || this instanceof LocalOrShuffle;
    }

    /** {@code shuffle}, {@code by key Group}. */
    default String describe() {
        if (this instanceof ByKey byKey) {
            return "by key " + byKey.key().type();
        }
        return this instanceof LocalOrShuffle
                ? "local or shuffle"
                : getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }
}
