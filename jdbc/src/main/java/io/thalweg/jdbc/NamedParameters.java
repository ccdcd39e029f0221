// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.util.function.Consumer;

/** {@code :name} in a statement, but not in texts, quoted names and comments, nor in {@code ::type}. */
final class NamedParameters {
    private NamedParameters() {}

    /** The statement with a question mark for each name; the names are told in their order. */
    static String replace(String sql, Consumer<String> names) {
        StringBuilder plain = new StringBuilder();
        int at = 0;
        while (at < sql.length()) {
            int next = endOfQuoted(sql, at);
            char c = sql.charAt(at);
            if (next == at && c == ':' && at + 1 < sql.length() && sql.charAt(at + 1) == ':') {
                next = at + 2;
            } else if (next == at && c == ':') {
                int end = at + 1;
                while (end < sql.length() && Character.isJavaIdentifierPart(sql.charAt(end))) {
                    end++;
                }
                if (end > at + 1) {
                    names.accept(sql.substring(at + 1, end));
                    plain.append('?');
                    at = end;
                    continue;
                }
            }
            next = Math.max(next, at + 1);
            plain.append(sql, at, next);
            at = next;
        }
        return plain.toString();
    }

    /** Behind what begins at {@code at} and is no SQL; {@code at} if nothing does. */
    private static int endOfQuoted(String sql, int at) {
        char c = sql.charAt(at);
        if (c == '\'' || c == '"') {
            int end = sql.indexOf(c, at + 1);
            return end < 0 ? sql.length() : end + 1;
        }
        if (sql.startsWith("--", at)) {
            int end = sql.indexOf('\n', at);
            return end < 0 ? sql.length() : end;
        }
        if (sql.startsWith("/*", at)) {
            int end = sql.indexOf("*/", at + 2);
            return end < 0 ? sql.length() : end + 2;
        }
        return at;
    }
}
