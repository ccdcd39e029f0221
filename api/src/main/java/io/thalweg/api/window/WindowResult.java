// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

/**
 * What one window of one key came to.
 *
 * @param start epoch milliseconds, inclusive
 * @param end epoch milliseconds, exclusive
 */
public record WindowResult<K, R>(K key, long start, long end, R value) {}
