// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

/** What all threads do, for whoever asks why a job did not end. */
final class Stacks {
    private Stacks() {}

    /** Adds the stacks of all threads to a failure. */
    static <T extends Throwable> T addTo(T failure) {
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            Exception stack = new Exception("thread " + thread.getName() + ", " + thread.getState());
            stack.setStackTrace(frames);
            failure.addSuppressed(stack);
        });
        return failure;
    }
}
