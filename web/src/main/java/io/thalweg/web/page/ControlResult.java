// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

/**
 * What came of the newest order.
 *
 * @param number grows with each; 0 before there is any
 * @param text one line
 * @param failed it was not done, and the text says why
 */
record ControlResult(long number, String text, boolean failed) {
    static final ControlResult NOTHING = new ControlResult(0, "", false);
}
