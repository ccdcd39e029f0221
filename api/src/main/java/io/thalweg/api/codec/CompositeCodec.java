// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.util.List;

/**
 * A user's codec that leaves parts of its values to the codecs of other types, so that state written before a part has
 * changed can still be read: see {@link Schema}.
 *
 * @param <T> values
 */
public interface CompositeCodec<T> extends Codec<T> {
    /** The types of the parts, in the order in which they are written, as often as each occurs in the schema. */
    List<Type<?>> parts();

    /** Reads a value whose parts are read by other codecs, one for each of {@link #parts}. */
    T decode(ByteReader in, List<Codec<Object>> parts);
}
