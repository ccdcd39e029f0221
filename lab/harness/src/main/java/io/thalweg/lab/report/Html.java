// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

/** A page in the making. Text is always escaped; only tags that this package writes itself are markup. */
final class Html {
    private final StringBuilder out = new StringBuilder();

    /** Markup as it is. */
    Html raw(String markup) {
        out.append(markup);
        return this;
    }

    Html text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** An element that holds only text; {@code tag} may carry attributes. */
    Html element(String tag, String text) {
        int space = tag.indexOf(' ');
        out.append('<').append(tag).append('>');
        text(text);
        out.append("</").append(space < 0 ? tag : tag.substring(0, space)).append(">\n");
        return this;
    }

    /** For text, and for attributes between double quotes. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
