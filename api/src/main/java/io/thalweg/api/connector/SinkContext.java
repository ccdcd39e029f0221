// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.PrintStream;

/**
 * What a sink's writer may know.
 *
 * @param operator name of the sink in the topology
 * @param task from 0 to parallelism - 1
 * @param console where results for a person to read go; any thread may print
 */
public record SinkContext(String topology, String operator, int task, int parallelism, PrintStream console) {}
