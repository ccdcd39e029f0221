// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.operator.BadRecordException;
import org.jspecify.annotations.Nullable;

/**
 * A key with the hash of its codec, which is equal in every JVM, unlike some hashCode (that of an enum, for one), so
 * that Flink assigns it to the same key group everywhere.
 */
public final class StableKey {
    private final @Nullable Object key;
    private final int hash;
    private final @Nullable Exception bad;

    StableKey(Object key, int hash) {
        this(key, hash, null);
    }

    private StableKey(@Nullable Object key, int hash, @Nullable Exception bad) {
        this.key = key;
        this.hash = hash;
        this.bad = bad;
    }

    /** For a record whose key function threw {@link BadRecordException}: some task counts it as bad. */
    static StableKey ofBad(@Nullable BadRecordException reason) {
        return new StableKey(null, 0, reason);
    }

    /** For a record whose key is null, or cannot be computed: the job fails in some task. */
    static StableKey ofNone(Exception reason) {
        return new StableKey(null, 0, reason);
    }

    public boolean isBad() {
        return key == null;
    }

    /** Why there is no key: a {@link BadRecordException}, or the exception that the job fails with. */
    public Exception reason() {
        return bad == null ? new BadRecordException("the key cannot be read", "") : bad;
    }

    /** The key. Must not be called if there is none. */
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
