// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as options take them: {@code 500kB}, {@code 10MB}, {@code 2GB}; without a unit, bytes. */
final class ByteSize {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(|B|kB|MB|GB)", Pattern.CASE_INSENSITIVE);

    private ByteSize() {}

    /** Empty if it is not one. */
    static OptionalLong parse(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return OptionalLong.empty();
        }
        long unit = switch (size.group(2).toLowerCase(Locale.ROOT)) {
            case "kb" -> 1_000;
            case "mb" -> 1_000_000;
            case "gb" -> 1_000_000_000;
            default -> 1;
        };
        return OptionalLong.of(Long.parseLong(size.group(1)) * unit);
    }
}
