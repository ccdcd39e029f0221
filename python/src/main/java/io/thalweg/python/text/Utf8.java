// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Text as UTF-8, where the JDK writes a question mark for half a surrogate pair, and reads U+FFFD for what is no UTF-8. Thread-safe.
 */
public final class Utf8 {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHEST = 0x8080808080808080L;
    private static final long MARKS = '?' * ONES;

    /** The JDK compares longer ones faster than we look at them. */
    private static final int LONG = 128;

    /** What the JDK reads for what is no UTF-8; it may stand there itself, too. */
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /**
     * The bytes of a text, in an array of their own.
     *
     * @throws HalfPairException if it contains half a surrogate pair
     */
    public static byte[] bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (!isWhole(bytes, text)) {
            throw new HalfPairException();
        }
        return bytes;
    }

    /** Whether nothing of a text was lost when the JDK encoded it: if there is no question mark, nothing was. */
    public static boolean isWhole(byte[] bytes, String text) {
        if (bytes.length == text.length() && bytes.length >= LONG) { // all are ASCII, or half a pair
            return new String(bytes, StandardCharsets.ISO_8859_1).equals(text);
        }
        return !hasMark(bytes) || new String(bytes, StandardCharsets.UTF_8).equals(text);
    }

    private static boolean hasMark(byte[] bytes) {
        int last = bytes.length - Long.BYTES;
        for (int at = 0; at < last; at += Long.BYTES) {
            if (hasMark((long) WORD.get(bytes, at))) {
                return true;
            }
        }
        if (last >= 0) {
            return hasMark((long) WORD.get(bytes, last));
        }
        for (byte each : bytes) {
            if (each == '?') {
                return true;
            }
        }
        return false;
    }

    private static boolean hasMark(long word) {
        long others = word ^ MARKS; // a byte is zero where the mark is
        return ((others - ONES) & ~others & HIGHEST) != 0;
    }

    /**
     * The text of some bytes.
     *
     * @throws MalformedTextException if they are no UTF-8
     */
    public static String text(byte[] bytes, int at, int length) {
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            ByteBuffer in = ByteBuffer.wrap(bytes, at, length);
            CharBuffer out = CharBuffer.allocate(length);
            if (StandardCharsets.UTF_8.newDecoder().decode(in, out, true).isError()) {
                throw new MalformedTextException("byte " + (in.position() - at) + " of the text is invalid UTF-8");
            }
        }
        return text;
    }

    /** The text with each half of a surrogate pair as JSON escapes it. */
    public static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            if (Character.getType(character) == Character.SURROGATE) {
                escaped.append("\\u").append(Integer.toHexString(character));
            } else {
                escaped.appendCodePoint(character);
            }
        });
        return escaped.toString();
    }
}
