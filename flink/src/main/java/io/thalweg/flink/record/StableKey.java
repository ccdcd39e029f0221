// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.NullValueException;
import org.jspecify.annotations.Nullable;

/**
 * A key with the hash that its codec gives it: equal in every JVM, where hashCode may not be (of an enum, for one), so that Flink
 * places it in the same key group everywhere.
 */
public final class StableKey {
    private final @Nullable Object key;
    private final int hash;
    private final @Nullable RuntimeException bad;

    StableKey(Object key, int hash) {
        this(key, hash, null);
    }

    private StableKey(@Nullable Object key, int hash, @Nullable RuntimeException bad) {
        this.key = key;
        this.hash = hash;
        this.bad = bad;
    }

    /** Of a record whose key cannot be read: it goes somewhere, and there it is counted. */
    static StableKey ofBad(@Nullable BadRecordException reason) {
        return new StableKey(null, 0, reason);
    }

    /** Of a record whose key is null: it goes somewhere, and there the job fails. */
    static StableKey ofNull(NullValueException reason) {
        return new StableKey(null, 0, reason);
    }

    public boolean isBad() {
        return key == null;
    }

    /** Why the key could not be read: a {@link BadRecordException}, or what the job is to fail with. */
    public RuntimeException reason() {
        return bad == null ? new BadRecordException("the key cannot be read", "") : bad;
    }

    /** The key itself; not of a bad one. */
    public Object key() {
        if (key == null) {
            throw new IllegalStateException("a bad record has no key");
        }
        return key;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StableKey that
                && hash == that.hash
                && (key == null ? that.key == null : key.equals(that.key));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return String.valueOf(key);
    }
}
