// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.NullableFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a record what is sent.
 *
 * @param keys null if records have no keys
 * @param lines a line feed ends each record
 */
record Requests<T>(Encoder.Encoding<T> encoding, @Nullable NullableFunction<? super T, String> keys, boolean lines) {
    private static final int LONGEST_KEY = 255;

    byte[] encode(T value) throws Exception {
        byte[] record = encoding.encode(value);
        if (record == null) { // against its contract
            throw new BadRecordException("its encoder gives null", String.valueOf(value));
        }
        for (int i = 0; lines && i < record.length; i++) {
            if (record[i] == '\n') {
                throw new BadRecordException(
                        "the record has a line feed, which would make two lines of it", String.valueOf(value));
            }
        }
        return record;
    }

    /** Null if records have no keys. */
    @Nullable String key(T value) throws Exception {
        if (keys == null) {
            return null;
        }
        String key = keys.apply(value);
        if (key == null || key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new BadRecordException(
                    "the key of a record must have from 1 to " + LONGEST_KEY + " characters", String.valueOf(value));
        }
        if (!key.chars().allMatch(each -> each > ' ' && each <= '~')) {
            throw new BadRecordException(
                    "the key '" + key + "' cannot be sent in a header: only visible ASCII can", String.valueOf(value));
        }
        return key;
    }
}
