// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A page in the making. Text is always escaped; only tags that this package writes itself are markup. */
public final class Html {
    private final StringBuilder out = new StringBuilder();

    /** Begins a page whose policy forbids the browser to fetch anything, or to run any script but this one. */
    public Html head(String title, String script, String style) {
        return raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .raw(
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; ")
                .raw("style-src 'unsafe-inline'; script-src 'sha256-" + sha256(script) + "'\">\n")
                .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .raw("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
                .text(title)
                .raw("</title>\n<style>\n")
                .raw(style)
                .raw("</style>\n</head>\n<body>\n");
    }

    private static String sha256(String script) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** Markup as it is. */
    public Html raw(String markup) {
        out.append(markup);
        return this;
    }

    public Html text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** An element that holds only text; {@code tag} may carry attributes. */
    public Html element(String tag, String text) {
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
