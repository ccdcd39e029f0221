// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.job;

import io.thalweg.api.topology.TopologyDefinition;
import java.nio.file.Path;

/**
 * A job that is ready to define its topology.
 *
 * @param name the simple name of its class
 * @param folder where the job's own files lie
 * @param loader knows the job's classes
 */
public record LoadedJob(String name, TopologyDefinition definition, Path folder, ClassLoader loader) {}
