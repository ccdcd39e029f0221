// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/** How many records an operator emits for one that comes in. Bad records emit nothing and are not counted here. */
public enum Cardinality {
    /** Always one, before the next record comes in. A source emits each record that it reads; a sink writes it. */
    ONE,
    /** One or none, before the next record comes in. */
    AT_MOST_ONE,
    /** Any number, or at another time, as when a window ends. */
    ANY
}
