// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads values of JSON from a message, one after the other. Behind the message there must be a line feed. */
final class Json {
    private static final int HEX_DIGITS = 4;
    private static final int HEX = 16;

    private byte[] bytes = {};
    private int from;
    private int at;
    private int end;

    /** Begins a message. */
    void begin(byte[] message, int begin, int end) {
        this.bytes = message;
        this.from = begin;
        this.at = begin;
        this.end = end;
    }

    /** Takes a character, if it comes next. */
    boolean takes(char character) {
        while (bytes[at] == ' ') {
            at++;
        }
        if (bytes[at] != character) {
            return false;
        }
        at++;
        return true;
    }

    /** Takes a character, which must come next. */
    void take(char character) {
        if (!takes(character)) {
            throw wrong();
        }
    }

    /** The name of the next member of an object that was begun; null behind the last. */
    @Nullable String name() {
        if (takes('}')) {
            return null;
        }
        takes(',');
        String name = text();
        take(':');
        return name;
    }

    /** Whether an array that was begun has another element, which comes next. */
    boolean element() {
        if (takes(']')) {
            return false;
        }
        takes(',');
        return true;
    }

    long number() {
        boolean negative = takes('-');
        int begin = at;
        long number = 0;
        for (; bytes[at] >= '0' && bytes[at] <= '9'; at++) {
            number = 10 * number + (bytes[at] - '0');
        }
        if (at == begin) {
            throw wrong();
        }
        return negative ? -number : number;
    }

    /** An array of whole numbers. */
    long[] numbers() {
        take('[');
        long[] numbers = new long[2];
        int count = 0;
        while (element()) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = number();
        }
        return count == numbers.length ? numbers : Arrays.copyOf(numbers, count);
    }

    String text() {
        take('"');
        StringBuilder text = new StringBuilder();
        for (int next = character(); next >= 0; next = character()) {
            text.append((char) next);
        }
        return text.toString();
    }

    /** A text of Latin-1; if it has other characters or not so many, none at all, which counts as damaged. */
    byte[] latin(int characters) {
        take('"');
        byte[] text = new byte[characters];
        int length = 0;
        boolean whole = true;
        for (int next = character(); next >= 0; next = character()) {
            if (length < characters) {
                text[length] = (byte) next;
            }
            whole &= next <= 0xFF;
            length++;
        }
        return whole && length == characters ? text : new byte[0];
    }

    /** The next character of a text that was begun; -1 behind the last. */
    private int character() {
        int next = bytes[at++];
        if (next == '"') {
            return -1;
        }
        if (next == '\\') {
            return escaped();
        }
        if (next < ' ') { // Python writes ASCII alone
            throw wrong();
        }
        return next;
    }

    private int escaped() {
        int kind = bytes[at++];
        return switch (kind) {
            case 'u' -> unicode();
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> kind;
            default -> throw wrong();
        };
    }

    private int unicode() {
        int code = 0;
        for (int i = 0; i < HEX_DIGITS; i++) {
            int digit = Character.digit(bytes[at++], HEX);
            if (digit < 0) {
                throw wrong();
            }
            code = HEX * code + digit;
        }
        return code;
    }

    boolean truth() {
        boolean truth = !takes('f');
        skip(); // the rest of the word
        return truth;
    }

    /** Passes over a value. */
    void skip() {
        if (takes('[')) {
            while (element()) {
                skip();
            }
        } else if (takes('{')) {
            while (name() != null) {
                skip();
            }
        } else if (takes('"')) {
            while (character() >= 0) {
                // of a text that nobody reads
            }
        } else {
            int begin = at;
            while (at < end && ",]} ".indexOf(bytes[at]) < 0) {
                at++;
            }
            if (at == begin) {
                throw wrong();
            }
        }
    }

    private IllegalStateException wrong() {
        return new IllegalStateException("a child wrote what is no message, at byte " + (at - from) + " of "
                + new String(bytes, from, end - from, StandardCharsets.UTF_8));
    }
}
