// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.StableHash;
import io.thalweg.engine.chain.Specialiser;
import java.lang.invoke.MethodHandle;

/** The hash by which tables find keys: equal for equal keys, and spread over all its bits. */
interface KeyHash {
    /** That of the key's class, spread. Not that of key groups: all keys of a task are in the same few of these. */
    KeyHash PLAIN = key -> StableHash.mix(key.hashCode() ^ 0x9E3779B9);

    int of(Object key);

    /**
     * For keys of a class. Records are hashed by their components: what the JDK makes of these, 31 × the first + the second, is the same for
     * dozens of keys if they are made of short texts or small numbers.
     */
    static KeyHash of(Class<?> keys, Specialiser specialiser) {
        MethodHandle components = ComponentHash.of(keys);
        return components == null ? PLAIN : specialiser.make(RecordHash.class, components, PLAIN);
    }
}
