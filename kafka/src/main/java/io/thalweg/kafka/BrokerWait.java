// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.DurationText;
import io.thalweg.api.connector.StartContext;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Waits, before a job starts, until a broker answers, and tries again until then. What a broker has refused is not tried again. */
final class BrokerWait {
    /** How long the first try may take; the next ones longer, for a broker that answers, but slowly. */
    static final Duration FIRST_TRY = Duration.ofSeconds(5);

    /** The last try, for which little time is left. */
    private static final Duration SHORTEST_TRY = Duration.ofSeconds(1);

    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 5_000;
    private static final int MOST_DOUBLINGS = 10;

    private static final Duration FIRST_LINES = Duration.ofSeconds(10);
    private static final Duration LATER_LINES = Duration.ofMinutes(1);

    /** Asks for an answer. */
    @FunctionalInterface
    interface Try {
        /**
         * Null if there was an answer, else why there was none.
         *
         * @throws ConnectorException if none will ever come
         */
        @Nullable String failure(Duration atMost) throws InterruptedException;
    }

    private final String what;
    private final ClientSettings settings;
    private final Try attempt;
    private final Pause pause;
    private final Random random;

    /** @param what for the message: {@code read topic orders} */
    BrokerWait(String what, ClientSettings settings, Try attempt, Pause pause, Random random) {
        this.what = what;
        this.settings = settings;
        this.attempt = attempt;
        this.pause = pause;
        this.random = random;
    }

    static BrokerWait of(String what, ClientSettings settings) {
        return new BrokerWait(what, settings, new BrokerTry(what, settings), Pause.REAL, new Random());
    }

    /** @throws ConnectorException if no broker has answered in time, or none ever will */
    void await(StartContext context) throws InterruptedException {
        Duration timeout = context.timeout(settings.connectTimeout());
        Duration limit = timeout.isZero() ? FIRST_TRY : least(FIRST_TRY, timeout);
        Duration nextLine = Duration.ZERO;
        for (int tries = 1; true; tries++) {
            String failure = attempt.failure(limit);
            Duration elapsed = context.elapsed();
            Duration left = timeout.minus(elapsed);
            if (failure == null) {
                if (!nextLine.isZero()) {
                    context.tell("Kafka at " + settings.servers() + " answers, " + DurationText.of(elapsed)
                            + " after the start of the job");
                }
                return;
            }
            if (left.compareTo(Duration.ZERO) <= 0) {
                throw new ConnectorException(over(failure, timeout), null);
            }
            if (elapsed.compareTo(nextLine) >= 0) {
                context.tell("waiting for Kafka at " + settings.servers() + ": " + failure + "; "
                        + DurationText.of(left) + " left");
                nextLine = elapsed.plus(nextLine.compareTo(LATER_LINES) < 0 ? FIRST_LINES : LATER_LINES);
            }
            pause.ofMs(Math.min(pauseMs(tries), Math.max(1, left.toMillis())));
            left = timeout.minus(context.elapsed());
            Duration patience = FIRST_TRY.multipliedBy(1L << Math.min(tries, MOST_DOUBLINGS));
            limit = least(patience, left.compareTo(SHORTEST_TRY) < 0 ? SHORTEST_TRY : left);
        }
    }

    /** Twice as long each time, and at random less by up to a half, so that tasks of many jobs spread. */
    private long pauseMs(int tries) {
        long longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(tries - 1, MOST_DOUBLINGS));
        return longest - random.nextLong(longest / 2 + 1);
    }

    private String over(String failure, Duration timeout) {
        return "cannot " + what + " at " + settings.servers() + ": " + failure
                + (timeout.isZero() ? "" : ", for " + DurationText.of(timeout))
                + "; start a broker there, or correct the address; --connect-timeout, or connectTimeout(…) of the source or"
                + " sink, waits longer";
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
