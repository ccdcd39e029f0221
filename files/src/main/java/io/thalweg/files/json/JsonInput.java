// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.Part;
import io.thalweg.files.record.RecordShape;
import io.thalweg.files.record.TextCache;
import io.thalweg.files.record.Words;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over one JSON text in an array of bytes: white space, punctuation, field names, null and boolean. Numbers are
 * read by {@link JsonNumber}, strings by {@link JsonText}.
 *
 * <p>Bytes are taken eight at a time, so a read may run past the limit, into what follows in the array, though never past
 * the array. Such a text is bad nevertheless: nothing moves {@link #position} back, and {@link #finish} compares it with
 * the limit.
 */
final class JsonInput {
    /** What {@link #firstField} and {@link #nextField} return after the last field. */
    static final int END = -1;

    /** Words, the first letter lowest. */
    private static final long NULL = 0x6c6c_756eL;

    private static final long TRUE = 0x6575_7274L;
    private static final long FALSE = 0x65_736c_6166L;

    /** How many fields are remembered: enough for records, and a bound where names are data. */
    private static final int MAX_REMEMBERED = 4_096;

    final TextCache texts;
    /** A field that is not remembered. */
    final SeenField unknown = SeenField.unknown();

    private @Nullable FieldOrder[] orders = {};
    private int remembered;
    final int maxDepth;

    byte[] bytes = {};
    int limit;
    int position;
    /** The last place where eight bytes can be taken at once. */
    int lastWord;

    private int from;
    private int depth;

    JsonInput(int maxDepth, TextCache texts) {
        this.maxDepth = maxDepth;
        this.texts = texts;
    }

    void begin(byte[] source, int begin, int end) {
        bytes = source;
        from = begin;
        position = begin;
        limit = end;
        lastWord = source.length - Long.BYTES;
        depth = 0;
    }

    /** Nothing but white space may follow. */
    void finish() {
        int next = skipWhitespace();
        if (position < limit) {
            throw wrong(
                    next == '{' || next == '['
                            ? "a second value follows; one JSON object a line is expected"
                            : "the object is followed by " + found() + "; one JSON object a line is expected");
        }
        if (position > limit) {
            throw wrong(limit, "");
        }
    }

    /** The byte at the cursor, or 0 at the end; a 0 byte is allowed nowhere in JSON. */
    int peek() {
        return byteAt(position);
    }

    int byteAt(int at) {
        return at < limit ? bytes[at] : 0;
    }

    /** Skips white space and returns the byte that follows, as {@link #peek} does. */
    int skipWhitespace() {
        int at = position;
        while (at < limit) {
            int next = bytes[at];
            if (next > ' ' || (next != ' ' && next != '\n' && next != '\r' && next != '\t')) {
                position = at;
                return next;
            }
            at++;
        }
        position = Math.max(position, at);
        return 0;
    }

    /** Eight bytes, the first lowest; beyond the array they are 0. */
    long word(int at) {
        if (at <= lastWord) {
            return Words.at(bytes, at);
        }
        long word = 0;
        for (int i = bytes.length - 1; i >= at; i--) {
            word = word << 8 | (bytes[i] & 0xff);
        }
        return word;
    }

    /** Takes {@code null} if it comes next. */
    boolean nextIsNull() {
        int next = peek();
        if (next <= ' ') {
            next = skipWhitespace();
        }
        if (next != 'n') {
            return false;
        }
        literal(NULL, 4);
        return true;
    }

    boolean readBoolean() {
        int next = peek();
        if (next <= ' ') {
            next = skipWhitespace();
        }
        if (next == 't') {
            literal(TRUE, 4);
            return true;
        }
        if (next == 'f') {
            literal(FALSE, 5);
            return false;
        }
        throw expected("true or false");
    }

    void literal(long text, int length) {
        if (!startsWith(text, length)) {
            throw wrong("a JSON value is expected, found " + found());
        }
        position += length;
    }

    private boolean startsWith(long text, int length) {
        return (word(position) & (-1L >>> (64 - 8 * length))) == text;
    }

    void openObject() {
        open('{', "an object");
    }

    void openArray() {
        open('[', "an array");
    }

    private void open(char bracket, String what) {
        int next = peek();
        if (next != bracket && (next > ' ' || skipWhitespace() != bracket)) {
            throw expected(what);
        }
        position = open(position);
    }

    /** Goes into the object or array that begins at a place; returns where it continues. */
    int open(int at) {
        if (++depth > maxDepth) {
            throw wrong(at, "nested deeper than " + maxDepth + " levels");
        }
        return at + 1;
    }

    /** After {@link #openArray}: true if an element follows. */
    boolean firstElement() {
        if (skipWhitespace() != ']') {
            return true;
        }
        close();
        return false;
    }

    /** After an element: true if another follows. */
    boolean nextElement() {
        int next = skipWhitespace();
        if (next == ',') {
            position++;
            return true;
        }
        if (next != ']') {
            throw wrong("',' or ']' is expected, found " + found());
        }
        close();
        return false;
    }

    /** After {@link #openObject}: goes to the value of the first field whose name is known, and returns which it is. */
    int firstField(FieldNames names) {
        return field(order(names), 0, position - 1);
    }

    /** After a value: goes to the value of the next field whose name is known, and returns which it is. */
    int nextField(FieldNames names, int expected) {
        return field(order(names), expected, position);
    }

    private FieldOrder order(FieldNames names) {
        if (names.number >= orders.length) {
            orders = Arrays.copyOf(orders, names.number + 1);
        }
        FieldOrder order = orders[names.number];
        if (order == null) {
            order = FieldOrder.of(names);
            orders[names.number] = order;
        }
        return order;
    }

    /** Passes over the rest of an object that nobody asked for, from behind its opening bracket. */
    void skipFields(FieldOrder order) {
        field(order, 0, position - 1);
    }

    /**
     * Passes over undeclared fields, up to the value of a declared one or {@link #END}.
     *
     * @param begin where the value before ends; if the first field is expected, the opening bracket
     */
    private int field(FieldOrder order, int expected, int begin) {
        SeenField last = order.before(expected);
        boolean first = expected == 0;
        int at = begin;
        while (true) {
            SeenField field = last.next;
            if (at <= bytes.length - field.span && field.isAt(bytes, at)) {
                at += field.length;
            } else {
                position = first ? at + 1 : at;
                if (!(first ? firstName() : nextName())) {
                    return END;
                }
                field = order.read(this, last, at);
                at = position;
            }
            if (field.index >= 0) {
                position = at;
                return field.index;
            }
            at = JsonSkip.value(this, field, at);
            last = field;
            first = false;
        }
    }

    /** True if one more field may be remembered. */
    boolean mayRemember() {
        return ++remembered <= MAX_REMEMBERED;
    }

    /** After {@link #openObject}: true if a name follows. */
    boolean firstName() {
        if (skipWhitespace() != '}') {
            return true;
        }
        close();
        return false;
    }

    /** After a value of an object: true if another name follows. */
    boolean nextName() {
        int next = skipWhitespace();
        if (next == ',') {
            position++;
            return true;
        }
        if (next != '}') {
            throw wrong("',' or '}' is expected, found " + found());
        }
        close();
        return false;
    }

    void colon() {
        if (skipWhitespace() != ':') {
            throw wrong("':' is expected after a field's name, found " + found());
        }
        position++;
    }

    private void close() {
        depth--;
        position++;
    }

    /**
     * Takes a comma and the name that was foreseen, quotes and colon included, if just that comes next, with one space
     * at most after the comma. If anything else does, takes nothing.
     *
     * @param first the first eight bytes of {@code "name":}
     * @param last the last eight; they may overlap the first
     * @param length from 8 to 16
     */
    boolean nextIs(long first, long last, int length) {
        return follows(position, ',', first, last, length);
    }

    /** The same after {@link #openObject}, where the bracket stands in place of the comma. */
    boolean firstIs(long first, long last, int length) {
        return follows(position - 1, '{', first, last, length);
    }

    private boolean follows(int begin, char separator, long first, long last, int length) {
        int at = begin;
        if (at > lastWord + 6 - length || bytes[at] != separator) {
            return false;
        }
        at += bytes[at + 1] == ' ' ? 2 : 1;
        if (Words.at(bytes, at) != first || Words.at(bytes, at + length - Long.BYTES) != last) {
            return false;
        }
        position = at + length;
        return true;
    }

    /** {@link #nextIs(long, long, int)} for a name of which {@code "name":} takes fewer than eight bytes. */
    boolean nextIs(long name, int length) {
        return follows(position, ',', name, length);
    }

    boolean firstIs(long name, int length) {
        return follows(position - 1, '{', name, length);
    }

    private boolean follows(int begin, char separator, long name, int length) {
        int at = begin;
        if (at > lastWord - 2 || bytes[at] != separator) {
            return false;
        }
        at += bytes[at + 1] == ' ' ? 2 : 1;
        if ((Words.at(bytes, at) ^ name) << (64 - 8 * length) != 0) {
            return false;
        }
        position = at + length;
        return true;
    }

    /** {@link #nextIs(long, long, int)} for a name of any length. */
    boolean nextIs(byte[] name) {
        return follows(position, ',', name);
    }

    boolean firstIs(byte[] name) {
        return follows(position - 1, '{', name);
    }

    private boolean follows(int begin, char separator, byte[] name) {
        int at = begin;
        if (at > bytes.length - 2 - name.length || bytes[at] != separator) {
            return false;
        }
        at += bytes[at + 1] == ' ' ? 2 : 1;
        if (!Arrays.equals(bytes, at, at + name.length, name, 0, name.length)) {
            return false;
        }
        position = at + name.length;
        return true;
    }

    /** Takes the bracket that ends an object if it comes next. */
    boolean objectEnds() {
        if (peek() != '}') {
            return false;
        }
        close();
        return true;
    }

    MalformedException expected(String what) {
        return wrong(what + " is expected, found " + found());
    }

    MalformedException missing(Part part) {
        boolean primitive = part.component().getType().isPrimitive();
        return wrongObject(
                "'" + part.name() + "' is missing" + (primitive ? "" : " or null") + ", and " + part.needed());
    }

    /** The record's own constructor threw. */
    MalformedException refused(RuntimeException e) {
        return wrongObject(RecordShape.refusal(e));
    }

    /** The object that ends just before the cursor. */
    private MalformedException wrongObject(String reason) {
        return wrong(position - 1, JsonPath.at(bytes, from, position), reason);
    }

    MalformedException wrong(String reason) {
        return wrong(position, reason);
    }

    MalformedException wrong(int at, String reason) {
        if (at >= limit) {
            return new MalformedException("the text ends in the middle of a JSON value", limit - from);
        }
        return wrong(at, JsonPath.at(bytes, from, at), reason);
    }

    private MalformedException wrong(int at, String path, String reason) {
        return new MalformedException(
                "byte " + (at - from) + (path.isEmpty() ? "" : ", '" + path + "'") + ": " + reason, at - from);
    }

    private String found() {
        return switch (peek()) {
            case '"' -> "a string";
            case '{' -> "an object";
            case '[' -> "an array";
            case 'n' -> startsWith(NULL, 4) ? "null" : describe('n');
            case 't' -> startsWith(TRUE, 4) ? "a boolean" : describe('t');
            case 'f' -> startsWith(FALSE, 5) ? "a boolean" : describe('f');
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> "a number";
            default -> describe(peek());
        };
    }

    static String describe(int next) {
        return next > ' ' && next < 0x7f ? "'" + (char) next + "'" : String.format("byte 0x%02x", next & 0xff);
    }
}
