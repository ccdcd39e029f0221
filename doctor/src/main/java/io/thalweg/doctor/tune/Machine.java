// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import java.util.Set;

/**
 * Where a job is tuned.
 *
 * @param cores that it may use
 * @param collector of the JVM, as {@link Setting#COLLECTOR} has it; empty if it is another one
 * @param heapBytes the most that the JVM takes
 * @param settings names of those that can be set where the job runs, as {@link Setting#word} has them
 */
public record Machine(int cores, String collector, long heapBytes, Set<String> settings) {
    public Machine {
        settings = Set.copyOf(settings);
    }
}
