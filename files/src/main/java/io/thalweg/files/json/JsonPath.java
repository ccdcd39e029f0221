// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Where in a JSON text a byte stands. Found only when it is asked for, so that reading need not keep track. */
final class JsonPath {
    private final byte[] bytes;
    private final Deque<Level> levels = new ArrayDeque<>();

    private JsonPath(byte[] bytes) {
        this.bytes = bytes;
    }

    /** {@code stations[2].name}; empty at the top. What stands before the byte is valid JSON. */
    static String at(byte[] bytes, int from, int at) {
        JsonPath path = new JsonPath(bytes);
        path.walk(from, at);
        return path.text();
    }

    private void walk(int from, int to) {
        for (int at = from; at < to; at++) {
            switch (bytes[at]) {
                case '{' -> levels.addLast(new Level(true));
                case '[' -> levels.addLast(new Level(false));
                case '}', ']' -> levels.pollLast();
                case ',' -> {
                    Level level = levels.peekLast();
                    if (level != null) {
                        level.next();
                    }
                }
                case '"' -> {
                    int end = endOfText(at + 1, to);
                    Level level = levels.peekLast();
                    if (level != null && level.object && level.name.isEmpty() && end < to) {
                        level.name = new String(bytes, at + 1, end - at - 1, StandardCharsets.UTF_8);
                    }
                    at = end;
                }
                default -> {}
            }
        }
    }

    private int endOfText(int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        return at;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (Iterator<Level> all = levels.iterator(); all.hasNext(); ) {
            Level level = all.next();
            if (!level.object) {
                text.append('[').append(level.index).append(']');
            } else if (!level.name.isEmpty()) {
                text.append(text.length() == 0 ? "" : ".").append(level.name);
            }
        }
        return text.toString();
    }

    private static final class Level {
        final boolean object;
        String name = "";
        int index;

        Level(boolean object) {
            this.object = object;
        }

        void next() {
            name = "";
            index++;
        }
    }
}
