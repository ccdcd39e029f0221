// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

/**
 * What a run put out at one place, without regard to the order.
 *
 * @param name of the sink, or what else was counted
 * @param records how many
 * @param digest of their contents; empty if they were only counted
 */
public record Output(String name, long records, String digest) {}
