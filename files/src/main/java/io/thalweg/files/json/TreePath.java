// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.record.Decimal;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Goes along a path, and says how far it came. */
final class TreePath {
    private static final int SHOWN_CHARACTERS = 40;

    private final JsonValue root;
    private final String path;

    TreePath(JsonValue root, String path) {
        this.root = root;
        this.path = path;
    }

    Optional<JsonValue> find() {
        return Optional.ofNullable(walk(false));
    }

    JsonValue at() {
        JsonValue value = walk(true);
        if (value == null) {
            throw missing(path);
        }
        return value;
    }

    /** @param strict throws where something of another type is in the way */
    private @Nullable JsonValue walk(boolean strict) {
        JsonValue value = root;
        int at = 0;
        while (at < path.length()) {
            int end = end(at);
            String come = path.substring(0, Math.max(0, path.charAt(at) == '[' ? at : at - 1));
            @Nullable JsonValue next;
            if (path.charAt(at) == '[') {
                next = element(value, come, path.substring(at + 1, end - 1), strict);
            } else {
                next = field(value, come, path.substring(at, end), strict);
            }
            if (next == null) {
                if (strict) {
                    throw missing(path.substring(0, end));
                }
                return null;
            }
            value = next;
            at = end < path.length() && path.charAt(end) == '.' ? end + 1 : end;
        }
        return value;
    }

    /** Where a step ends: behind the bracket, or before a dot or bracket. */
    private int end(int from) {
        if (path.charAt(from) == '[') {
            int close = path.indexOf(']', from);
            if (close < 0) {
                throw new IllegalArgumentException("path '" + path + "': a bracket is not closed");
            }
            return close + 1;
        }
        int at = from;
        while (at < path.length() && path.charAt(at) != '.' && path.charAt(at) != '[') {
            at++;
        }
        return at;
    }

    private @Nullable JsonValue field(JsonValue of, String come, String name, boolean strict) {
        if (of instanceof JsonValue.Fields fields) {
            return fields.values().get(name);
        }
        if (strict) {
            throw wrong(come, of, "an object");
        }
        return null;
    }

    private @Nullable JsonValue element(JsonValue of, String come, String index, boolean strict) {
        if (of instanceof JsonValue.Elements elements) {
            int number = index(index);
            return number < elements.values().size() ? elements.values().get(number) : null;
        }
        if (strict) {
            throw wrong(come, of, "an array");
        }
        return null;
    }

    private int index(String text) {
        try {
            int index = Integer.parseInt(text);
            if (index >= 0) {
                return index;
            }
        } catch (NumberFormatException e) {
            // It is no number, or too large a one.
        }
        throw new IllegalArgumentException("path '" + path + "': '" + text + "' is not an array index");
    }

    String text() {
        JsonValue value = at();
        if (value instanceof JsonValue.Text text) {
            return text.value();
        }
        throw wrong(path, value, "a text");
    }

    long whole() {
        try {
            return Long.parseLong(written("a whole number"));
        } catch (NumberFormatException e) {
            throw wrong(path, at(), "a whole number that fits a long");
        }
    }

    double number() {
        double number = Double.parseDouble(written("a number"));
        if (Double.isInfinite(number)) {
            throw wrong(path, at(), "a number that fits a double");
        }
        return number;
    }

    BigDecimal decimal() {
        byte[] bytes = written("a number").getBytes(StandardCharsets.ISO_8859_1);
        BigDecimal number = Decimal.toBigDecimal(bytes, 0, bytes.length);
        if (number == null) {
            throw wrong(path, at(), "a number of at most " + Decimal.MAX_BIG_LENGTH + " digits");
        }
        return number;
    }

    private String written(String what) {
        JsonValue value = at();
        if (value instanceof JsonValue.Numeric number) {
            return number.text();
        }
        throw wrong(path, value, what);
    }

    boolean flag() {
        JsonValue value = at();
        if (value instanceof JsonValue.Bool bool) {
            return bool.value();
        }
        throw wrong(path, value, "true or false");
    }

    List<JsonValue> elements() {
        JsonValue value = at();
        if (value instanceof JsonValue.Elements elements) {
            return elements.values();
        }
        throw wrong(path, value, "an array");
    }

    private BadRecordException missing(String where) {
        return new BadRecordException("'" + where + "' is missing", root.toString());
    }

    private BadRecordException wrong(String where, JsonValue found, String expected) {
        String text = found.toString();
        return new BadRecordException(
                (where.isEmpty() ? "" : "'" + where + "': ") + expected + " is expected, found "
                        + (text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…"),
                root.toString());
    }
}
