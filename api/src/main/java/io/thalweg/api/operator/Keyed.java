// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** A key and what belongs to it: what a keyed aggregate without a window emits after every record. */
public record Keyed<K, R>(K key, R value) {}
