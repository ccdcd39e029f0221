// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.SettingException;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A job that is ready to define its topology.
 *
 * @param name the simple name of its class
 * @param folder where the job's own files lie
 * @param loader knows the job's classes
 */
public record LoadedJob(String name, TopologyDefinition definition, Path folder, JobClassLoader loader) {
    /**
     * The job's own classes as a jar, for another JVM, and the jars of the libraries that it declares. The first is the job itself if it is
     * a jar; otherwise it is made now, and gone when this JVM ends.
     *
     * @throws JobException if it cannot be written
     */
    public List<Path> jars() {
        return loader.jars();
    }

    /**
     * Has the job define its topology.
     *
     * @param set settings for the job
     * @throws JobException if a setting was given that the job did not ask for
     * @throws DefinitionException if the job's own code failed
     */
    public TopologyGraph define(Map<String, String> set) {
        Settings settings = new Settings(set, folder);
        Topology topology = Topology.named(name);
        try {
            definition.define(topology, settings);
        } catch (SettingException | TopologyException | CodecException | ConnectorException | OutOfMemoryError e) {
            throw e;
        } catch (Exception | Error e) {
            throw new DefinitionException(definition.getClass(), e);
        }
        UnknownSettings.refuse(settings);
        return topology.graph();
    }
}
