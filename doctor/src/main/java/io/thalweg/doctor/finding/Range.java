// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

/**
 * A predicted value with its interval.
 *
 * @param low the least that is expected
 * @param middle what the model says
 * @param high the most that is expected
 */
public record Range(double low, double middle, double high) {}
