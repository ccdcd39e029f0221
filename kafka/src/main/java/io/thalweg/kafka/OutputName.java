// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The name of one task's output since its start or restore, from which its group and transactional ids are made. A
 * restored task has another name than its predecessors, so any task may finish what they left.
 *
 * @param prefix as set by the user, or from the topology
 * @param checkpoint that the task was restored from; 0 if none
 */
record OutputName(String prefix, long checkpoint, int task) {
    /** While a transaction waits for its checkpoint, messages go into the next one. */
    static final int PRODUCERS = 2;

    private static final Pattern NUMBERS = Pattern.compile("-([0-9]{1,18})-([0-9]{1,9})-[0-9]");

    /** The output of a transactional id; null if the id has another prefix. */
    static @Nullable OutputName ofId(String transactionalId, String prefix) {
        if (!transactionalId.startsWith(prefix)) {
            return null;
        }
        Matcher numbers = NUMBERS.matcher(transactionalId.substring(prefix.length()));
        return numbers.matches()
                ? new OutputName(prefix, Long.parseLong(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : null;
    }

    List<String> transactionalIds() {
        return IntStream.range(0, PRODUCERS)
                .mapToObj(producer -> this + "-" + producer)
                .toList();
    }

    /** The name of the group. */
    @Override
    public String toString() {
        return prefix + "-" + checkpoint + "-" + task;
    }
}
