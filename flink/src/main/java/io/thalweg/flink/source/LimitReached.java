// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * Tells the coordinator of a limit, and through it the enumerators of sources, that the limit is reached.
 *
 * @param node the limit's number in the graph
 */
public record LimitReached(int node) implements OperatorEvent, SourceEvent {}
