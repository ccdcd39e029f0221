// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a file between {@code // region NAME} and its {@code // endregion}, as a document shows them. */
final class Region {

    private static final Pattern MARKER =
            Pattern.compile("^\\s*(?://|--|#|<!--)\\s*(region|endregion)\\b\\s*(\\S*).*$");

    private Region() {}

    /** Without the markers of regions within, moved to the left margin. An empty name means the whole file. */
    static String of(String text, String name) {
        List<String> region = new ArrayList<>();
        int depth = name.isEmpty() ? 1 : 0;
        boolean found = name.isEmpty();
        for (String line : text.lines().toList()) {
            Matcher marker = MARKER.matcher(line);
            if (!marker.matches()) {
                if (depth > 0) {
                    region.add(line);
                }
            } else if (marker.group(1).equals("endregion")) {
                depth = Math.max(0, depth - 1);
            } else if (depth > 0) {
                depth++;
            } else if (marker.group(2).equals(name)) {
                if (found) {
                    throw new IllegalArgumentException("two regions are named " + name);
                }
                found = true;
                depth = 1;
            }
        }
        if (!found) {
            throw new IllegalArgumentException("no line says // region " + name);
        }
        if (depth > 0 && !name.isEmpty()) {
            throw new IllegalArgumentException("no // endregion ends region " + name);
        }
        return String.join("\n", region).stripIndent().strip();
    }
}
