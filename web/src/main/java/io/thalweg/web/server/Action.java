// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.server;

/** What is done by a POST. Threads of the server call it, several at once. */
@FunctionalInterface
public interface Action {
    /** Begins it, and answers what came of that. Must not wait for the job. */
    Answer begin();
}
