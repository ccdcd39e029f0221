// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

/** What a command's exit code tells the shell. */
public final class ExitCodes {
    public static final int DONE = 0;
    /** The job failed, an input or output that cannot be used included. */
    public static final int FAILED = 1;
    /** The command line is wrong, or JOB cannot be used. */
    public static final int USAGE = 2;
    /** Plus the signal's number: 130 after Ctrl-C, 143 after SIGTERM. */
    public static final int SIGNAL = 128;

    private ExitCodes() {}
}
