// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * A key that many records have.
 *
 * @param hash of it; keys with the same hash count as one, since no number of tasks takes them apart
 * @param share of the records that have it, at least, from 0 to 1
 */
public record KeyShare(int hash, double share) {}
