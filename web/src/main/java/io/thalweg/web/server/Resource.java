// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.server;

/** What is found under a path. Threads of the server call it, several at once. */
@FunctionalInterface
public interface Resource {
    /**
     * Answers a read. Must not wait for the job.
     *
     * @param query what follows the path behind a question mark, as it was sent; may be empty
     */
    Answer read(String query);
}
