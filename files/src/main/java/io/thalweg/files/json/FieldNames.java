// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of a record's fields, found by their bytes. */
final class FieldNames {
    static final FieldNames NONE = new FieldNames(List.of(), -1);

    /** Tells the records of one reader apart, from 0. */
    final int number;

    private final List<String> names;
    private final byte[][] bytes;
    private final Map<String, Integer> indexes = new HashMap<>();
    /** Index + 1 by hash of the bytes, open addressing; 0 is free. */
    private final int[] table;

    /** @param number which of the records of one reader has them */
    FieldNames(List<String> names, int number) {
        this.number = number;
        this.names = names;
        bytes = new byte[names.size()][];
        table = new int[Integer.highestOneBit(Math.max(4, names.size())) * 4];
        for (int i = 0; i < names.size(); i++) {
            indexes.put(names.get(i), i);
            // What can only be written with an escape must not be taken from its bytes: a quote never matches.
            byte[] name = (plain(names.get(i)) ? names.get(i) : "\"").getBytes(StandardCharsets.UTF_8);
            bytes[i] = name;
            int slot = slot(name, 0, name.length);
            while (table[slot] != 0) {
                slot = slot + 1 & table.length - 1;
            }
            table[slot] = i + 1;
        }
    }

    int size() {
        return bytes.length;
    }

    /** Which name stands there, or -1. */
    int find(byte[] text, int from, int to) {
        for (int slot = slot(text, from, to); table[slot] != 0; slot = slot + 1 & table.length - 1) {
            if (matches(table[slot] - 1, text, from, to)) {
                return table[slot] - 1;
            }
        }
        return -1;
    }

    int find(String name) {
        return indexes.getOrDefault(name, -1);
    }

    String name(int index) {
        return names.get(index);
    }

    /** True if JSON writes the name as its own bytes; it may then be foreseen. */
    static boolean plain(String name) {
        return name.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\');
    }

    private boolean matches(int index, byte[] text, int from, int to) {
        byte[] name = bytes[index];
        return Arrays.equals(text, from, to, name, 0, name.length);
    }

    private int slot(byte[] text, int from, int to) {
        int hash = to - from;
        for (int at = from; at < to; at++) {
            hash = hash * 31 + text[at];
        }
        return (hash ^ hash >>> 15) & table.length - 1;
    }
}
