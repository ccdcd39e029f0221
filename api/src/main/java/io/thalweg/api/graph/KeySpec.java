// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.MapFunction;
import java.io.Serializable;

/**
 * How the key of a record is read, and its type.
 *
 * @param function reads the key; never null for a record
 * @param type of the keys
 */
public record KeySpec(MapFunction<Object, Object> function, Type<Object> type) implements Serializable {}
