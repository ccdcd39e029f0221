// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/** A topology that cannot run as described; the message names the operator and says what to change. */
public final class TopologyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TopologyException(String topology, String operator, String problem) {
        super("topology '" + topology + "'" + (operator.isEmpty() ? "" : ", operator '" + operator + "'") + ": "
                + problem);
    }
}
