// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

/**
 * Identifies a state across restores.
 *
 * @param operator the operator's name in the topology
 * @param name which of the operator's states
 */
public record StateName(String operator, String name) {
    @Override
    public String toString() {
        return "'" + name + "' of operator '" + operator + "'";
    }
}
