// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

/**
 * Where a job is tuned.
 *
 * @param cores that it may use
 * @param collector of the JVM, as {@link Setting#COLLECTOR} has it; empty if it is another one
 * @param heapBytes the most that the JVM takes
 */
public record Machine(int cores, String collector, long heapBytes) {}
