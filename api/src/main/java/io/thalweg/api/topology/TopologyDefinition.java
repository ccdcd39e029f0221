// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

/**
 * What {@code thalweg run} looks for in a job: the one class that implements this, with a public no-argument
 * constructor.
 */
@FunctionalInterface
public interface TopologyDefinition {
    void define(Topology topology, Settings settings) throws Exception;
}
