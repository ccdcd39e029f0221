// SPDX-License-Identifier: Apache-2.0
/**
 * The fluent API to describe a topology: sources, operators, windows, joins and sinks.
 *
 * <p>A job implements {@link io.thalweg.api.topology.TopologyDefinition}. It starts a
 * {@link io.thalweg.api.topology.Stream} with {@link io.thalweg.api.topology.Topology#from}, adds operators to it, and ends it with
 * {@link io.thalweg.api.topology.Stream#to}:
 *
 * <pre>{@code
 * topology.from(JsonLines.read("readings.jsonl", Reading.class))
 *         .eventTime(Reading::time, Duration.ofSeconds(5))
 *         .keyBy(Reading::sensor)
 *         .window(Windows.tumbling(Duration.ofMinutes(1)))
 *         .aggregate(Aggregates.max(Reading::celsius))
 *         .to(Sinks.print());
 * }</pre>
 *
 * <p>Nothing runs while a topology is described. {@link io.thalweg.api.topology.Topology#graph} checks it and returns the graph that a
 * runner takes. Parameters and results are never null unless marked
 * {@code @Nullable}; none of these classes is thread-safe.
 */
@NullMarked
package io.thalweg.api.topology;

import org.jspecify.annotations.NullMarked;
