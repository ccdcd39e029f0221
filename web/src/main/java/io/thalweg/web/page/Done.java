// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

/**
 * What came of the newest order.
 *
 * @param number grows with each; 0 before there is any
 * @param text one line
 * @param failed it was not done, and the text says why
 */
record Done(long number, String text, boolean failed) {
    static final Done NOTHING = new Done(0, "", false);
}
