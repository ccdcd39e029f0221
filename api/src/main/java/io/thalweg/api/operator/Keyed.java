// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A key and its value: what a running aggregate emits after every record.
 *
 * @param <K> keys
 * @param <R> values
 * @param key of the record that came last
 * @param value the result for this key so far
 */
public record Keyed<K, R>(K key, R value) {}
