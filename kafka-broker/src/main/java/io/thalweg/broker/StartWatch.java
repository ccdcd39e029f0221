// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Says when a broker takes long to answer, where its log is, and gives it up in the end. */
final class StartWatch {
    static final long LOOK_AGAIN_MS = 50;

    /** A busy machine takes some seconds for each start. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration LONGEST_START = Duration.ofMinutes(10);
    private static final long PATIENCE_LOOKS = PATIENCE.toMillis() / LOOK_AGAIN_MS;
    private static final long MOST_LOOKS = LONGEST_START.toMillis() / LOOK_AGAIN_MS;

    private final String address;
    private final BrokerLog log;
    private final Consumer<String> slow;
    private long looks;

    StartWatch(String address, BrokerLog log, Consumer<String> slow) {
        this.address = address;
        this.log = log;
        this.slow = slow;
    }

    /**
     * To be called whenever there was no answer, some time after the last call.
     *
     * @throws IOException with the end of the broker's log, if it is not to be waited for any longer
     */
    void noAnswer() throws IOException {
        looks++;
        if (looks == PATIENCE_LOOKS) {
            slow.accept("the broker at " + address + " does not answer yet; waiting for it, up to "
                    + LONGEST_START.toMinutes() + " minutes; its log is " + log.file());
        } else if (looks > MOST_LOOKS) {
            throw new IOException("the broker at " + address + " did not answer within " + LONGEST_START.toMinutes()
                    + " minutes; its log, " + log.file() + ", ends with: " + log.end());
        }
    }
}
