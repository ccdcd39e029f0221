// SPDX-License-Identifier: Apache-2.0
/**
 * Avro and Protobuf messages, with the header of a schema registry or without one. {@link io.thalweg.wire.WireAvro},
 * {@link io.thalweg.wire.WireProtobuf} and {@link io.thalweg.wire.Schemas} are where to begin.
 */
@NullMarked
package io.thalweg.wire;

import org.jspecify.annotations.NullMarked;
