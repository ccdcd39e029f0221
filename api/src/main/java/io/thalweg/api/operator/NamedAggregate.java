// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * An aggregate and the record component that its result fills; made by {@link Aggregates#named}.
 *
 * @param <T> records in
 * @param component the name of the component
 * @param aggregate computes its value
 */
public record NamedAggregate<T>(String component, Aggregate<T, ?, ?> aggregate) implements Serializable {}
