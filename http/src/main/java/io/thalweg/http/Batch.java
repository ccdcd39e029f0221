// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of one request.
 *
 * @param slot where they stand in the output: whose they are, in which interval between checkpoints, which batch of it, which part of
 *     that. No two batches of a run have the same
 * @param key of its one record; null if the request's key is made of the slot and the records
 * @param first number of the first record in the task, from 1
 * @param format of the request, which its key depends on
 */
record Batch(String slot, @Nullable String key, long first, List<byte[]> records, BodyFormat format) {
    private static final int KEY_BYTES = 16;

    /** Two, each about half as long. */
    List<Batch> halves() {
        int middle = records.size() / 2;
        return List.of(
                new Batch(slot + "a", key, first, records.subList(0, middle), format),
                new Batch(slot + "b", key, first + middle, records.subList(middle, records.size()), format));
    }

    byte[] body() {
        return format.body(records);
    }

    /**
     * The same for the same records in the same place, so that a service which has seen the request knows it again. Other records never
     * have the key of those that a failed run has sent from there.
     */
    String idempotencyKey(byte[] body) {
        if (key != null) {
            return key;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((slot + '\n').getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(body), 0, KEY_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
