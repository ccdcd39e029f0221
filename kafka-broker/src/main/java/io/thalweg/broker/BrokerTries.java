// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Changes that need brokers which count as alive: one that had no time to answer its controller does not for a moment. The refusal is
 * the same where there are too few brokers for the replicas of a topic, and then it does not help to ask again.
 */
final class BrokerTries {
    /** A change, or a question. */
    interface Request {
        Object send() throws ExecutionException, InterruptedException;
    }

    /** Whether any broker counts as alive. */
    interface Alive {
        boolean any() throws ExecutionException, InterruptedException;
    }

    private BrokerTries() {}

    /** @throws ExecutionException if it is refused for another reason, or twice although a broker was alive after it */
    static void change(Request change, Alive alive) throws ExecutionException, InterruptedException {
        boolean refused = false;
        while (true) {
            try {
                change.send();
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof InvalidReplicationFactorException) || refused) {
                    throw e;
                }
                refused = isAny(alive); // perhaps only since then
            }
        }
    }

    private static boolean isAny(Alive alive) throws ExecutionException, InterruptedException {
        try {
            return alive.any();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException) {
                return false;
            }
            throw e;
        }
    }
}
