// SPDX-License-Identifier: Apache-2.0
/**
 * How values are serialized: types, codecs, schemas, and the hash that assigns a key to a task.
 *
 * <p>A {@link io.thalweg.api.codec.Type} names a type with its generic arguments and finds its {@link io.thalweg.api.codec.Codec}. Most
 * types need nothing else; {@link io.thalweg.api.codec.Type#custom} adds a codec for others. A {@link io.thalweg.api.codec.Schema} is
 * saved with state, so that state can be read after fields were added.
 */
@NullMarked
package io.thalweg.api.codec;

import org.jspecify.annotations.NullMarked;
