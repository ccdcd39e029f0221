// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.python.text.Utf8;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.jspecify.annotations.Nullable;

/**
 * The messages to a child as Storm's serializer writes them, byte by byte, but for half a surrogate pair, which is escaped. Tuples, most of
 * whose values are numbers and ASCII, are put together here, and all else by the library that Storm uses.
 */
final class JsonText {
    private static final String END = "\nend\n";
    private static final int CAPACITY = 1 << 12;

    /** A larger array is given up after its message. */
    private static final int MOST_KEPT = 1 << 20;

    private static final String ID = "id";
    private static final String COMPONENT = "comp";
    private static final String STREAM = "stream";
    private static final String TASK = "task";
    private static final String VALUES = "tuple";

    /** The names of a tuple in the order in which the library has them. */
    private static final List<String> ORDER = order();

    private final OutputStream output;
    private byte[] bytes = new byte[CAPACITY];
    private int size;

    JsonText(OutputStream output) {
        this.output = output;
    }

    private static List<String> order() {
        JSONObject made = new JSONObject();
        for (String name : List.of(ID, COMPONENT, STREAM, TASK, VALUES)) {
            made.put(name, "");
        }
        return List.copyOf(made.keySet());
    }

    /** Writes a tuple. */
    void write(long id, @Nullable String component, String stream, long task, List<Object> values) throws IOException {
        size = 0; // the one before may not have been written
        char between = '{';
        for (String name : ORDER) {
            put(between);
            between = ',';
            addText(name);
            put(':');
            switch (name) {
                case ID -> addText(Long.toString(id));
                case COMPONENT -> add(component);
                case STREAM -> addText(stream);
                case TASK -> addAscii(Long.toString(task));
                default -> addAll(values);
            }
        }
        put('}');
        end();
    }

    /** Writes another message. */
    void write(Object message) throws IOException {
        size = 0;
        add(message);
        end();
    }

    private void end() throws IOException {
        addAscii(END);
        output.write(bytes, 0, size);
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[CAPACITY];
        }
    }

    private void addAll(List<?> values) {
        put('[');
        boolean first = true;
        for (Object each : values) {
            if (!first) {
                put(',');
            }
            first = false;
            add(each);
        }
        put(']');
    }

    private void add(@Nullable Object value) {
        if (value instanceof String text) {
            addText(text);
        } else if (value == null || value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            addAscii(String.valueOf(value));
        } else {
            addJson(JSONValue.toJSONString(value));
        }
    }

    private void addText(String text) {
        int before = size;
        int length = text.length();
        makeRoom(2 * (length + 1L));
        byte[] to = bytes;
        int at = size;
        to[at++] = '"';
        for (int i = 0; i < length; i++) {
            char each = text.charAt(i);
            if (each < ' ' || each > '~') {
                size = before;
                addJson(JSONValue.toJSONString(text));
                return;
            }
            if (each == '"' || each == '\\' || each == '/') {
                to[at++] = '\\';
            }
            to[at++] = (byte) each;
        }
        to[at++] = '"';
        size = at;
    }

    private void addJson(String json) {
        byte[] encoded = json.getBytes(StandardCharsets.UTF_8);
        if (!Utf8.isWhole(encoded, json)) {
            encoded = Utf8.escaped(json).getBytes(StandardCharsets.UTF_8);
        }
        makeRoom(encoded.length);
        System.arraycopy(encoded, 0, bytes, size, encoded.length);
        size += encoded.length;
    }

    private void addAscii(String text) {
        makeRoom(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[size++] = (byte) text.charAt(i);
        }
    }

    private void put(char ascii) {
        makeRoom(1);
        bytes[size++] = (byte) ascii;
    }

    private void makeRoom(long more) {
        long needed = size + more;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(needed, Math.min(2L * bytes.length, 1 << 30))));
        }
    }
}
