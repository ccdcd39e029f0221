// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import io.thalweg.lab.driver.Message;
import java.io.IOException;
import java.util.function.Consumer;

/** How tuples travel to a child and back. One thread adds and sends, another one reads. */
interface Tuples {
    /** Adds one to those that are sent next. */
    void add(Message tuple);

    /** Sends those that were added, if there are any. */
    void send() throws IOException;

    /**
     * Waits for what the child writes.
     *
     * @param taken gets each tuple that it has emitted
     * @return how many it has acked; -1 at its end
     * @throws IOException also if the child reports a failure; the message says which
     */
    int read(Consumer<Message> taken) throws IOException;
}
