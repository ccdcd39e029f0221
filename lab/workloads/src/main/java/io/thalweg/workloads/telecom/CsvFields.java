// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.operator.BadRecordException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The fields of a line of CSV in their order: ASCII without quotes, nothing for null. Refuses what is not of its type. */
final class CsvFields {
    private static final int MOST_DIGITS = 18;

    private final byte[] line;
    private int start;
    private int end = -1;
    private int count;

    CsvFields(byte[] line) {
        this.line = line;
    }

    /** Goes to the next field; true if there is something in it. */
    private boolean next() {
        if (end == line.length) {
            throw bad("is missing");
        }
        count++;
        start = end + 1;
        end = start;
        while (end < line.length && line[end] != ',') {
            if (line[end] < ' ' || line[end] == '"') {
                throw bad("has a character that is not expected");
            }
            end++;
        }
        return end > start;
    }

    void end() {
        if (end < line.length) {
            count++;
            throw bad("is one too many");
        }
    }

    String text() {
        if (!next()) {
            throw bad("is empty");
        }
        return slice();
    }

    @Nullable String textOrNull() {
        return next() ? slice() : null;
    }

    boolean truth() {
        String text = text();
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw bad("is neither true nor false");
    }

    long number() {
        next();
        return digits();
    }

    @Nullable Long numberOrNull() {
        return next() ? Long.valueOf(digits()) : null;
    }

    int integer() {
        return asInt(number());
    }

    @Nullable Integer integerOrNull() {
        return next() ? Integer.valueOf(asInt(digits())) : null;
    }

    double real() {
        next();
        return parseDecimal().doubleValue();
    }

    @Nullable BigDecimal decimalOrNull() {
        return next() ? parseDecimal() : null;
    }

    @Nullable Double realOrNull() {
        return next() ? Double.valueOf(parseDecimal().doubleValue()) : null;
    }

    private String slice() {
        return new String(line, start, end - start, StandardCharsets.US_ASCII);
    }

    private int asInt(long number) {
        if (number != (int) number) {
            throw bad("is out of range");
        }
        return (int) number;
    }

    private long digits() {
        boolean negative = start < end && line[start] == '-';
        int from = negative ? start + 1 : start;
        if (from == end || end - from > MOST_DIGITS) {
            throw bad("is no whole number, or too long a one");
        }
        long number = 0;
        for (int at = from; at < end; at++) {
            int digit = line[at] - '0';
            if (digit < 0 || digit > 9) {
                throw bad("is no whole number");
            }
            number = 10 * number + digit;
        }
        return negative ? -number : number;
    }

    /** Digits and a point, no exponent: a short text is a number of that size, not one that fills the memory. */
    private BigDecimal parseDecimal() {
        for (int at = start; at < end; at++) {
            if (line[at] > '9' || line[at] == '+') {
                throw bad("is no number");
            }
        }
        try {
            return new BigDecimal(slice());
        } catch (NumberFormatException e) {
            throw bad("is no number");
        }
    }

    private BadRecordException bad(String what) {
        return new BadRecordException("field " + count + " " + what, line);
    }
}
