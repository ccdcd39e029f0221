// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

/**
 * An engine cannot run a cell on this machine; the message says why, to be read in the report. What the cell's settings tell is
 * declared in driver.yaml instead.
 */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public RefusedException(String why) {
        super(why);
    }
}
