// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

import io.thalweg.python.text.HalfPairException;
import io.thalweg.python.text.MalformedTextException;
import io.thalweg.python.text.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Texts of a column as UTF-8. The JDK is fast where all characters are ASCII, and goes byte by byte where one is not. After such a text,
 * the next one is taken for Latin-1, eight characters at once where they are ASCII; if it is not, the JDK does it, and the next ones,
 * up to a thousand of them while no text is Latin-1.
 */
final class TextCell implements Column.Various.Bytes {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long NOT_ASCII = 0x8080808080808080L;

    /** Shorter ones are not worth it. */
    private static final int SHORT = 32;

    private static final int MOST_SKIPS = 1024;

    private final Function<Object, String> shown;
    private boolean latin;

    /** So many texts go by the JDK, and as many were to at the last miss. */
    private int skip;

    private int skips = 1;

    TextCell(Function<Object, String> shown) {
        this.shown = shown;
    }

    /** @throws HalfPairException if it contains half a surrogate pair */
    @Override
    public byte[] bytes(Object value) {
        String text = shown.apply(value);
        if (latin && text.length() >= SHORT && mayBeLatin()) {
            byte[] characters = text.getBytes(StandardCharsets.ISO_8859_1);
            if (new String(characters, StandardCharsets.ISO_8859_1).equals(text)) {
                skips = 1;
                return encode(characters);
            }
            missed();
        }
        byte[] bytes = Utf8.bytes(text);
        latin = bytes.length != text.length();
        return bytes;
    }

    /** @throws MalformedTextException if it is no UTF-8 */
    @Override
    public Object value(byte[] bytes, int at, int length) {
        if (latin && length >= SHORT && mayBeLatin()) {
            byte[] characters = new byte[length];
            int count = decode(bytes, at, length, characters);
            if (count >= 0) {
                skips = 1;
                latin = count != length;
                return new String(characters, 0, count, StandardCharsets.ISO_8859_1);
            }
            missed();
        }
        String text = Utf8.text(bytes, at, length);
        latin = text.length() != length;
        return text;
    }

    private boolean mayBeLatin() {
        if (skip == 0) {
            return true;
        }
        skip--;
        return false;
    }

    private void missed() {
        skip = skips;
        skips = Math.min(2 * skips, MOST_SKIPS);
    }

    private byte[] encode(byte[] characters) {
        int others = others(characters);
        latin = others > 0;
        if (others == 0) {
            return characters;
        }
        byte[] bytes = new byte[Math.addExact(characters.length, others)];
        int to = 0;
        for (int from = 0; from < characters.length; ) {
            if (characters.length - from >= Long.BYTES) {
                long word = (long) WORD.get(characters, from);
                if ((word & NOT_ASCII) == 0) {
                    WORD.set(bytes, to, word);
                    from += Long.BYTES;
                    to += Long.BYTES;
                    continue;
                }
            }
            int character = characters[from++];
            if (character < 0) {
                bytes[to++] = (byte) (0xC0 | ((character & 0xC0) >> 6));
                bytes[to++] = (byte) (0x80 | (character & 0x3F));
            } else {
                bytes[to++] = (byte) character;
            }
        }
        return bytes;
    }

    /** How many of them are not ASCII. */
    private static int others(byte[] characters) {
        int others = 0;
        int at = 0;
        for (; characters.length - at >= Long.BYTES; at += Long.BYTES) {
            others += Long.bitCount((long) WORD.get(characters, at) & NOT_ASCII);
        }
        for (; at < characters.length; at++) {
            others += characters[at] < 0 ? 1 : 0;
        }
        return others;
    }

    /** How many characters of Latin-1 it is; -1 if it is anything else. */
    private static int decode(byte[] bytes, int at, int length, byte[] characters) {
        int end = at + length;
        int to = 0;
        for (int from = at; from < end; ) {
            if (end - from >= Long.BYTES) {
                long word = (long) WORD.get(bytes, from);
                if ((word & NOT_ASCII) == 0) {
                    WORD.set(characters, to, word);
                    from += Long.BYTES;
                    to += Long.BYTES;
                    continue;
                }
            }
            int first = bytes[from++];
            if (first < 0) {
                // C2 or C3, and a byte that continues it
                if ((first & 0xFE) != 0xC2 || from == end || (bytes[from] & 0xC0) != 0x80) {
                    return -1;
                }
                first = ((first & 0x03) << 6) | (bytes[from++] & 0x3F);
            }
            characters[to++] = (byte) first;
        }
        return to;
    }
}
