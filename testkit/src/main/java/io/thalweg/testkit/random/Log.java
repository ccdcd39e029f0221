// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Tells how a random topology was made, and finds names in it. */
final class Log {
    private final StringBuilder text = new StringBuilder();
    private final Map<String, Integer> names = new HashMap<>();

    void add(String line, Object... arguments) {
        text.append("  ").append(String.format(Locale.ROOT, line, arguments)).append('\n');
    }

    String name(String kind) {
        return kind + "-" + names.merge(kind, 1, Integer::sum);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
