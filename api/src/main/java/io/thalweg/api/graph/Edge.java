// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import java.io.Serializable;

/**
 * A stream from one node to another.
 *
 * @param from id of the node that emits
 * @param port {@link #MAIN}, or the name of a side output
 * @param to id of the node that receives
 * @param input which of the operator's inputs it leads to: 0, or 1 for the second one of an operator with two
 * @param grouping which task a record goes to
 * @param type of the records
 */
public record Edge(int from, String port, int to, int input, Grouping grouping, Type<Object> type)
        implements Serializable {
    /** The port of an operator's main output. */
    public static final String MAIN = "";
}
