// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Notices that the code of a job ends the process with {@code System.exit}, which would otherwise look like a job that came to
 * its end: says where it was called, and ends the process with an exit code that is not 0.
 */
public final class ExitWatch {
    private final BooleanSupplier loses;
    private final String instead;
    private final Consumer<String> tell;
    private final Thread hook = new Thread(this::onExit, "thalweg-exit");

    private ExitWatch(BooleanSupplier loses, String instead, Consumer<String> tell) {
        this.loses = loses;
        this.instead = instead;
        this.tell = tell;
    }

    /**
     * From now on until it is closed, a call of {@code System.exit} counts as a failure. An end by a signal does not.
     *
     * @param tell prints a line at once; called by any thread
     */
    static ExitWatch begin(Consumer<String> tell) {
        return begin(() -> true, "throw an exception instead, which fails the job and says why", tell);
    }

    /**
     * The same where the code may end the process once nothing is lost by that.
     *
     * @param loses whether something is lost now; called by any thread
     * @param instead what to do instead, for people
     * @param tell prints a line at once; called by any thread
     */
    public static ExitWatch begin(BooleanSupplier loses, String instead, Consumer<String> tell) {
        ExitWatch watch = new ExitWatch(loses, instead, tell);
        Runtime.getRuntime().addShutdownHook(watch.hook);
        return watch;
    }

    private void onExit() {
        String where = where();
        if (where.isEmpty() || !loses.getAsBoolean()) {
            return; // a signal that came before the job was running, for instance
        }
        tell.accept("the job's code, or a library that it uses, ended this process with System.exit" + where + "; "
                + instead);
        Runtime.getRuntime().halt(ExitCodes.FAILED);
    }

    private static String where() {
        for (StackTraceElement[] frames : Thread.getAllStackTraces().values()) {
            for (int i = 0; i + 1 < frames.length; i++) {
                String from = frames[i].getClassName();
                boolean exits = frames[i].getMethodName().equals("exit")
                        && (from.equals("java.lang.System") || from.equals("java.lang.Runtime"));
                if (exits && !frames[i + 1].getClassName().equals("java.lang.System")) {
                    StackTraceElement caller = frames[i + 1];
                    return " at " + caller.getClassName() + "." + caller.getMethodName() + "(" + caller.getFileName()
                            + ":" + caller.getLineNumber() + ")";
                }
            }
        }
        return "";
    }

    /** A call counts no longer. */
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the process is about to end, and the hook says why
        }
    }
}
