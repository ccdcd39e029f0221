// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * What a bolt did with its tuples, over all spans together.
 *
 * @param bolt its name
 * @param executed tuples that it was given by spouts and bolts
 * @param acked tuples that it acked
 * @param failed tuples that it failed
 */
public record StormBolt(String bolt, long executed, long acked, long failed) {}
