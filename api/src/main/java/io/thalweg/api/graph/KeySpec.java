// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.MapFunction;
import java.io.Serializable;

/** How a record's key is read, and what the key is. */
public record KeySpec(MapFunction<Object, Object> function, Type<Object> type) implements Serializable {}
