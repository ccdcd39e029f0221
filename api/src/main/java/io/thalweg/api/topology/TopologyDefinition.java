// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

/**
 * A job: the class that {@code thalweg run FILE} looks for; of several in one file, {@code --class} chooses. It needs a
 * constructor without parameters.
 *
 * <pre>{@code
 * public final class Errors implements TopologyDefinition {
 *     public void define(Topology topology, Settings settings) {
 *         topology.from(Lines.read(settings.file("in", "app.log")))
 *                 .filter(line -> line.contains("ERROR"))
 *                 .to(Sinks.print());
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface TopologyDefinition {
    /**
     * Adds the job's sources, operators and sinks to an empty topology. Called once for each run, before any source is
     * opened, also for {@code --explain}. It must not start work of its own: operators run later, perhaps in other
     * processes.
     *
     * @param topology an empty topology, named after the job
     * @param settings what the user passed with {@code --set}
     * @throws Exception to reject the run. A {@link SettingException} is shown as the user's mistake, without a stack
     *     trace
     */
    void define(Topology topology, Settings settings) throws Exception;
}
