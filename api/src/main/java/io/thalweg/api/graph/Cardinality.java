// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/**
 * How many records an operator emits for each record that comes in. Bad records, which emit nothing, are left out of
 * account.
 */
public enum Cardinality {
    /** Exactly one, before the next record comes in. A source emits each record that it reads; a sink writes it. */
    ONE,
    /** One or none, before the next record comes in. */
    AT_MOST_ONE,
    /** Any number, or at another time, as when a window fires. */
    ANY
}
