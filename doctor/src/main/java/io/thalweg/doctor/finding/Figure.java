// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

/**
 * A figure that a finding rests on.
 *
 * @param name what was measured: {@code busy}
 * @param value of it
 * @param unit {@code %}, {@code ms}, {@code records}; may be empty
 */
public record Figure(String name, double value, String unit) {}
