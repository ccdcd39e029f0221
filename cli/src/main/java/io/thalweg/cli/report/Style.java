// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

/** How text on a terminal stands out; plain elsewhere. */
record Style(boolean colours) {
    static final Style PLAIN = new Style(false);

    /** What labels the numbers. */
    String faint(String text) {
        return wrap("2", text);
    }

    String strong(String text) {
        return wrap("1", text);
    }

    /** What somebody should look at. */
    String warning(String text) {
        return wrap("33", text);
    }

    private String wrap(String code, String text) {
        return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
