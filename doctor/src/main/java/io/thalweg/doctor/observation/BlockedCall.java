// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * A call in which a thread stood still.
 *
 * @param method of the user or of a connector: {@code Prices.lookup}; may be empty
 * @param line where it was called: {@code Prices.java:17}; may be empty
 * @param call what it was calling: {@code Thread.sleep}
 * @param times how often
 * @param totalNs in all
 * @param longestNs the longest
 */
public record BlockedCall(String method, String line, String call, long times, long totalNs, long longestNs) {}
