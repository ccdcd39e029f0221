// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import java.io.Serializable;

/**
 * A stream from one node to another.
 *
 * @param port {@link #MAIN}, or the name of a side output
 * @param input which of the operator's inputs it leads to: 0, or 1 for the second one of an operator with two
 * @param type what flows on it
 */
public record Edge(int from, String port, int to, int input, Grouping grouping, Type<Object> type)
        implements Serializable {
    public static final String MAIN = "";
}
