// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

/**
 * A setting as it was, and as it would be.
 *
 * @param name an operator, of which it is the number of tasks, or a setting
 * @param from as observed
 * @param to as asked for
 */
public record Change(String name, String from, String to) {}
