// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.util.regex.Pattern;

/**
 * Makes text from data, exceptions, file names or jobs safe for a terminal or a log: control characters, escape
 * sequences and bidirectional marks are written as {@code \u001b}, so that they are visible and have no effect.
 */
public final class PlainText {
    private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\R\\s*");

    private PlainText() {}

    /** The text in one line. */
    public static String line(String text) {
        return visible(LINE_BREAK.matcher(text.strip()).replaceAll(" "), false);
    }

    /** The text in one line of at most {@code most} characters; the last one is {@code …} if it was truncated. */
    public static String line(String text, int most) {
        boolean cut = text.length() > 4L * most; // nobody searches a megabyte for line breaks
        String line = line(cut ? text.substring(0, 4 * most) : text);
        if (line.length() <= most && !cut) {
            return line;
        }
        int end = Math.min(line.length(), most - 1);
        boolean half = end > 0 && Character.isHighSurrogate(line.charAt(end - 1));
        return line.substring(0, half ? end - 1 : end) + "…";
    }

    /** The text with its line breaks and tabs, as for a stack trace. */
    public static String lines(String text) {
        return visible(text, true);
    }

    /** What was thrown: its class with its message. One that says nothing itself, such as that a class cannot be initialized, with its cause. */
    public static String thrown(Throwable thrown) {
        StringBuilder text = new StringBuilder(thrown.toString());
        Throwable each = thrown;
        while (each.getMessage() == null && each.getCause() != null) {
            each = each.getCause();
            text.append(", caused by ").append(each);
        }
        return text.toString();
    }

    private static String visible(String text, boolean breaks) {
        StringBuilder visible = null;
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            boolean plain = !acts(each) || (breaks && (each == '\n' || each == '\t' || each == '\r'));
            if (visible == null && !plain) {
                visible = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (visible != null) {
                visible.append(plain ? each : each == '\t' ? " " : String.format("\\u%04x", (int) each));
            }
        }
        return visible == null ? text : visible.toString();
    }

    private static boolean acts(char each) {
        return Character.isISOControl(each)
                || (each >= '\u202a' && each <= '\u202e')
                || (each >= '\u2066' && each <= '\u2069')
                || each == '\u2028'
                || each == '\u2029'
                || each == '\ufeff';
    }
}
