// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * An aggregate and the record component that its result fills; made by {@link Aggregates#named}.
 *
 * @param component the name of the component
 */
public record NamedAggregate<T>(String component, Aggregate<T, ?, ?> aggregate) implements Serializable {}
