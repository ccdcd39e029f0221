// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * A method of the user or of a connector, and what it was calling when it was sampled.
 *
 * @param method {@code Prices.parse}; empty if a method of a library is an operator by itself
 * @param line where it was sampled most often: {@code Prices.java:17}; may be empty
 * @param call method of a library that it was calling: {@code BigDecimal.<init>}; empty if it was running itself
 * @param samples how many
 */
public record HotSpot(String method, String line, String call, long samples) {}
