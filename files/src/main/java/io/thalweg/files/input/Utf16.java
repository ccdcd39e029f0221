// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.ConnectorException;

/**
 * Knows a text in UTF-16 by its byte order mark, which begins no text in UTF-8. Read as that, most of its lines would be valid, with a zero
 * beside each letter.
 */
final class Utf16 {
    private static final byte FE = (byte) 0xfe;
    private static final byte FF = (byte) 0xff;

    private Utf16() {}

    /** Whether the first bytes, so many of them, are the mark. */
    static boolean begins(byte[] bytes, int size) {
        return size >= 2 && ((bytes[0] == FF && bytes[1] == FE) || (bytes[0] == FE && bytes[1] == FF));
    }

    /** Whether another byte says. */
    static boolean mayBegin(byte[] bytes, int size) {
        return size == 1 && (bytes[0] == FF || bytes[0] == FE);
    }

    /** @param what cannot be done, {@code read log.txt} */
    static ConnectorException refusal(String what) {
        return new ConnectorException(
                "cannot " + what
                        + ": it is in UTF-16, as its byte order mark says; convert it to UTF-8, as iconv -f UTF-16 -t UTF-8 does");
    }
}
