// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** ASCII text under construction. */
final class LineBuffer {
    private static final byte[] TENS = new byte[100];
    private static final byte[] ONES = new byte[100];

    static {
        for (int i = 0; i < 100; i++) {
            TENS[i] = (byte) ('0' + i / 10);
            ONES[i] = (byte) ('0' + i % 10);
        }
    }

    private static final int LONGEST_NUMBER = 20;

    byte[] bytes;
    int length;

    LineBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    void clear() {
        length = 0;
    }

    void text(String text) {
        text(ascii(text));
    }

    void text(byte[] text) {
        reserve(text.length);
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
    }

    void number(long value) {
        reserve(LONGEST_NUMBER);
        long rest = value;
        if (rest < 0) {
            bytes[length++] = '-';
            rest = -rest;
        }
        length += digits(rest);
        int at = length;
        while (rest >= 100) {
            int pair = (int) (rest % 100);
            rest /= 100;
            bytes[--at] = ONES[pair];
            bytes[--at] = TENS[pair];
        }
        bytes[--at] = ONES[(int) rest];
        if (rest >= 10) {
            bytes[--at] = TENS[(int) rest];
        }
    }

    /** Four digits, with zeros in front. */
    void fourDigits(int value) {
        reserve(4);
        bytes[length++] = TENS[value / 100];
        bytes[length++] = ONES[value / 100];
        bytes[length++] = TENS[value % 100];
        bytes[length++] = ONES[value % 100];
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private static int digits(long value) {
        int digits = 1;
        long limit = 10;
        while (digits < LONGEST_NUMBER - 1 && value >= limit) {
            digits++;
            limit *= 10;
        }
        return digits;
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * (length + more));
        }
    }
}
