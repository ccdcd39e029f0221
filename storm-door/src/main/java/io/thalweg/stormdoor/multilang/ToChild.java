// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import java.util.List;
import org.apache.storm.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/** A message to a child. */
sealed interface ToChild {
    /** A tuple to execute. */
    record Input(long id, Tuple tuple) implements ToChild {}

    /** Asks a bolt for a sign of life. */
    record Heartbeat(long id) implements ToChild {}

    /** The tasks that an emitted tuple went to. */
    record Tasks(List<Integer> tasks) implements ToChild {}

    /** For a spout: {@code next}, {@code ack}, {@code fail}, {@code activate}, {@code deactivate}. */
    record Command(String command, @Nullable Object id) implements ToChild {}

    /** For a spout in packed frames: {@code next}, for up to so many tuples. */
    record Next(int most) implements ToChild {}
}
