// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Text of Latin-1, a byte for each character, to UTF-8 and back: eight characters at once where all of them are ASCII. */
final class Latin {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long NOT_ASCII = 0x8080808080808080L;
    private static final byte[] DAMAGED = {};

    private Latin() {}

    /**
     * Writes UTF-8, of which there must be room for two bytes a character.
     *
     * @return where it ends
     */
    static int encode(byte[] text, byte[] out, int at) {
        int to = at;
        for (int from = 0; from < text.length; ) {
            if (text.length - from >= Long.BYTES) {
                long word = (long) WORD.get(text, from);
                if ((word & NOT_ASCII) == 0) {
                    WORD.set(out, to, word);
                    from += Long.BYTES;
                    to += Long.BYTES;
                    continue;
                }
            }
            int character = text[from++] & 0xFF;
            if (character < 0x80) {
                out[to++] = (byte) character;
            } else {
                out[to++] = (byte) (0xC0 | (character >> 6));
                out[to++] = (byte) (0x80 | (character & 0x3F));
            }
        }
        return to;
    }

    /** The text of this UTF-8, if it has so many characters; otherwise none at all, which counts as damaged. */
    static byte[] decode(byte[] in, int at, int length, int characters) {
        byte[] text = new byte[characters];
        int from = at;
        int end = at + length;
        int to = 0;
        while (from < end && to < characters) {
            if (end - from >= Long.BYTES && characters - to >= Long.BYTES) {
                long word = (long) WORD.get(in, from);
                if ((word & NOT_ASCII) == 0) {
                    WORD.set(text, to, word);
                    from += Long.BYTES;
                    to += Long.BYTES;
                    continue;
                }
            }
            int first = in[from++];
            text[to++] = (byte) (first >= 0 ? first : ((first & 0x03) << 6) | (in[from++] & 0x3F));
        }
        return from == end && to == characters ? text : DAMAGED;
    }
}
