// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/**
 * A topology that cannot run as described. The message names the topology and the operator and says what to change; it
 * is shown without a stack trace.
 */
public final class TopologyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A problem of one operator, or of the whole topology.
     *
     * @param topology name of the topology
     * @param operator name of the operator; empty for the whole topology
     * @param problem what is wrong and what to change, in one line
     */
    public TopologyException(String topology, String operator, String problem) {
        super("topology '" + topology + "'" + (operator.isEmpty() ? "" : ", operator '" + operator + "'") + ": "
                + problem);
    }
}
