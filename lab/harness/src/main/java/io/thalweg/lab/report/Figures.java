// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as a person reads them: three digits, and the unit that suits their size. */
public final class Figures {
    private static final MathContext DIGITS = new MathContext(3);

    private Figures() {}

    /** A count or a rate: {@code 20.6 M}, {@code 25.3 k}, {@code 612}. */
    public static String count(double value) {
        return digits(value / scale(value)) + unit(value);
    }

    /** From one count to another, with the unit once if both share it: {@code 19.8–21.1 M}. */
    static String range(double from, double to) {
        return scale(from) == scale(to)
                ? digits(from / scale(from)) + "–" + digits(to / scale(to)) + unit(to)
                : count(from) + "–" + count(to);
    }

    /** {@code 12.4×}, {@code 0.031×}. */
    public static String times(double ratio) {
        return digits(ratio) + "×";
    }

    /** A time given in microseconds: {@code 350 µs}, {@code 2.1 ms}, {@code 1.86 s}. */
    public static String time(double micros) {
        if (micros >= 999_500) {
            return digits(micros / 1e6) + " s";
        }
        return micros >= 999.5 ? digits(micros / 1e3) + " ms" : digits(micros) + " µs";
    }

    /** Three digits, more only before the point, where thousands are set apart. */
    public static String digits(double value) {
        if (!Double.isFinite(value)) {
            return String.valueOf(value);
        }
        if (Math.abs(value) >= 999.5) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
        return (rounded.scale() < 0 ? rounded.setScale(0) : rounded).toPlainString();
    }

    private static double scale(double value) {
        if (value >= 999_500_000) {
            return 1e9;
        }
        if (value >= 999_500) {
            return 1e6;
        }
        return value >= 9_995 ? 1e3 : 1;
    }

    private static String unit(double value) {
        double scale = scale(value);
        if (scale == 1e9) {
            return " G";
        }
        if (scale == 1e6) {
            return " M";
        }
        return scale == 1e3 ? " k" : "";
    }
}
