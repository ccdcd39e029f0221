// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Where a text stops being JSON, found byte by byte: the reference for what is skipped by words. */
final class ScalarJson {
    private final byte[] text;
    private final int maxDepth;
    private int at;
    private int depth;

    private static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int offset;

        Wrong(int offset) {
            super(null, null, false, false);
            this.offset = offset;
        }
    }

    private ScalarJson(byte[] text, int maxDepth) {
        this.text = text;
        this.maxDepth = maxDepth;
    }

    /** The offset of what is wrong, or -1 if the text is one JSON object. */
    static int firstWrong(byte[] text, int maxDepth) {
        ScalarJson json = new ScalarJson(text, maxDepth);
        try {
            json.space();
            json.need(json.next() == '{');
            json.value();
            json.space();
            json.need(json.at == text.length);
            return -1;
        } catch (Wrong e) {
            return Math.min(e.offset, text.length);
        }
    }

    private int next() {
        return at < text.length ? text[at] : 0;
    }

    private void need(boolean condition) {
        need(condition, at);
    }

    private static void need(boolean condition, int offset) {
        if (!condition) {
            throw new Wrong(offset);
        }
    }

    private void space() {
        while (next() == ' ' || next() == '\t' || next() == '\n' || next() == '\r') {
            at++;
        }
    }

    private void value() {
        space();
        switch (next()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        }
    }

    private void literal(String word) {
        int begin = at;
        for (int i = 0; i < word.length(); i++) {
            need(next() == word.charAt(i), begin);
            at++;
        }
    }

    private void object() {
        need(++depth <= maxDepth);
        at++;
        space();
        if (next() != '}') {
            while (true) {
                space();
                need(next() == '"');
                string();
                space();
                need(next() == ':');
                at++;
                value();
                space();
                if (next() == '}') {
                    break;
                }
                need(next() == ',');
                at++;
            }
        }
        at++;
        depth--;
    }

    private void array() {
        need(++depth <= maxDepth);
        at++;
        space();
        if (next() != ']') {
            while (true) {
                value();
                space();
                if (next() == ']') {
                    break;
                }
                need(next() == ',');
                at++;
            }
        }
        at++;
        depth--;
    }

    private void number() {
        if (next() == '-') {
            at++;
        } else {
            need(next() >= '0' && next() <= '9');
        }
        int begin = at;
        digits();
        need(text[begin] != '0' || at == begin + 1, begin);
        if (next() == '.') {
            at++;
            digits();
        }
        if (next() == 'e' || next() == 'E') {
            at++;
            if (next() == '+' || next() == '-') {
                at++;
            }
            digits();
        }
    }

    private void digits() {
        need(next() >= '0' && next() <= '9');
        while (next() >= '0' && next() <= '9') {
            at++;
        }
    }

    /** What is wrong with a string is said in this order: its end, control characters, UTF-8, escapes. */
    private void string() {
        int begin = at + 1;
        int end = begin;
        while (end < text.length && text[end] != '"') {
            end += text[end] == '\\' ? 2 : 1;
        }
        need(end < text.length, text.length);
        for (int i = begin; i < end; i++) {
            need(text[i] < 0 || text[i] >= ' ', i);
        }
        utf8(begin, end);
        for (int i = begin; i < end; i++) {
            if (text[i] == '\\') {
                i = escape(i + 1, end);
            }
        }
        at = end + 1;
    }

    private void utf8(int begin, int end) {
        ByteBuffer bytes = ByteBuffer.wrap(text, begin, end - begin);
        CoderResult result =
                StandardCharsets.UTF_8.newDecoder().decode(bytes, CharBuffer.allocate(end - begin + 1), true);
        need(!result.isError(), bytes.position());
    }

    /** The last byte of an escape of which the second stands at a place. */
    private int escape(int kind, int end) {
        need("\"\\/bfnrtu".indexOf(text[kind]) >= 0, kind);
        if (text[kind] != 'u') {
            return kind;
        }
        for (int i = kind + 1; i <= kind + 4; i++) {
            need(i < end && "0123456789abcdefABCDEF".indexOf(text[i]) >= 0, i);
        }
        return kind + 4;
    }
}
