// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.NullValueException;
import org.apache.flink.api.java.functions.KeySelector;
import org.jspecify.annotations.Nullable;

/** Computes the key of a record for Flink. */
public final class ByKey implements KeySelector<Object, StableKey> {
    private static final long serialVersionUID = 1L;

    private final KeySpec spec;
    private final boolean stamped;
    private transient @Nullable Codec<Object> codec;

    /** @param stamped true if the stream has event time */
    public ByKey(KeySpec spec, boolean stamped) {
        this.spec = spec;
        this.stamped = stamped;
    }

    @Override
    @SuppressWarnings("NullAway") // a user's function may return null
    public StableKey getKey(Object element) {
        Object value = stamped ? ((Stamped) element).value() : element;
        try {
            Object key = spec.function().apply(value);
            return key == null
                    ? StableKey.ofNone(NullValueException.ofKey(spec.function(), value))
                    : new StableKey(key, codec().hash(key));
        } catch (BadRecordException e) {
            return StableKey.ofBad(e);
        } catch (Exception e) { // thrown here, it would be said of no operator
            return StableKey.ofNone(e);
        }
    }

    private Codec<Object> codec() {
        Codec<Object> known = codec;
        if (known == null) {
            known = spec.type().codec();
            codec = known;
        }
        return known;
    }
}
