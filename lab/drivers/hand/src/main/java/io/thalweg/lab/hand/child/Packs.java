// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads values of MessagePack, one after the other. */
final class Packs {
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final int LEAST_IN_A_BYTE = -32;

    private byte[] bytes = {};
    private int at;

    void begin(byte[] from, int begin) {
        bytes = from;
        at = begin;
    }

    /** Begins an array. @return how many elements it has */
    int array() {
        int head = bytes[at++] & 0xFF;
        if ((head & 0xF0) == 0x90) {
            return head & 0x0F;
        }
        return switch (head) {
            case 0xDC -> unsigned(2);
            case 0xDD -> unsigned(4);
            default -> throw wrong("array", head);
        };
    }

    long integer() {
        int head = bytes[at++];
        if (head >= LEAST_IN_A_BYTE) {
            return head;
        }
        int from = at;
        switch (head & 0xFF) {
            case 0xCC, 0xCD, 0xCE -> {
                return unsigned(1 << ((head & 0xFF) - 0xCC)) & 0xFFFFFFFFL;
            }
            case 0xD0 -> {
                at += 1;
                return bytes[from];
            }
            case 0xD1 -> {
                at += 2;
                return (short) SHORT.get(bytes, from);
            }
            case 0xD2 -> {
                at += 4;
                return (int) INT.get(bytes, from);
            }
            case 0xCF, 0xD3 -> {
                at += 8;
                return (long) LONG.get(bytes, from);
            }
            default -> throw wrong("whole number", head & 0xFF);
        }
    }

    /** A text of Latin-1, as {@link Latin#decode}. */
    byte[] latin(int characters) {
        int length = length(bytes[at++] & 0xFF);
        int from = at;
        at += length;
        return Latin.decode(bytes, from, length, characters);
    }

    String text() {
        int length = length(bytes[at++] & 0xFF);
        int from = at;
        at += length;
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    /** Passes over bytes. @return how many there are */
    int binary() {
        int length = length(bytes[at++] & 0xFF);
        at += length;
        return length;
    }

    /** Of a text or of bytes. */
    private int length(int head) {
        if ((head & 0xE0) == 0xA0) {
            return head & 0x1F;
        }
        return switch (head) {
            case 0xC4, 0xD9 -> unsigned(1);
            case 0xC5, 0xDA -> unsigned(2);
            case 0xC6, 0xDB -> unsigned(4);
            default -> throw wrong("text", head);
        };
    }

    private int unsigned(int size) {
        int from = at;
        at += size;
        return switch (size) {
            case 1 -> bytes[from] & 0xFF;
            case 2 -> (short) SHORT.get(bytes, from) & 0xFFFF;
            default -> (int) INT.get(bytes, from);
        };
    }

    /** Passes over a value. */
    void skip() {
        int head = bytes[at] & 0xFF;
        switch (head) {
            case 0xC0, 0xC2, 0xC3 -> at++; // nothing, false, true
            case 0xC4, 0xC5, 0xC6, 0xD9, 0xDA, 0xDB -> binary();
            case 0xDC, 0xDD -> skipElements();
            default -> {
                if ((head & 0xF0) == 0x90) {
                    skipElements();
                } else if ((head & 0xE0) == 0xA0) {
                    binary();
                } else {
                    integer();
                }
            }
        }
    }

    private void skipElements() {
        for (int left = array(); left > 0; left--) {
            skip();
        }
    }

    private static IllegalStateException wrong(String wanted, int head) {
        return new IllegalStateException("a child sent no " + wanted + ", but what begins with " + head);
    }
}
