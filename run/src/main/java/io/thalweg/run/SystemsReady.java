// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.StartContext;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import java.time.Duration;

/** Waits, before a job starts, until the systems that its sources, tables and sinks talk to answer. */
public final class SystemsReady {
    private SystemsReady() {}

    /**
     * Waits on this thread, one after the other. A runner calls this if the tasks run in this process, before it asks sources for their
     * splits.
     *
     * @throws JobFailedException if one does not answer in time or never will, or the thread is interrupted, which it then still is
     */
    public static void await(TopologyGraph graph, RunSettings settings) {
        StartContext context = context(settings);
        for (Node node : graph.nodes()) {
            try {
                await(node.spec(), context);
            } catch (ConnectorException e) {
                throw new JobFailedException(String.valueOf(e.getMessage()), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failed(graph, node, "interrupted while it waited for a system to answer", e);
            } catch (Exception e) {
                throw failed(graph, node, e.toString(), e);
            }
        }
    }

    private static void await(NodeSpec spec, StartContext context) throws Exception {
        Source<Object> source = spec.source();
        Source<Object> table = spec.table();
        Sink<Object> sink = spec.sink();
        if (source != null) {
            source.awaitReady(context);
        }
        if (table != null) {
            table.awaitReady(context);
        }
        if (sink != null) {
            sink.awaitReady(context);
        }
    }

    private static JobFailedException failed(TopologyGraph graph, Node node, String what, Exception cause) {
        return new JobFailedException(
                "topology '" + graph.name() + "', operator '" + node.name() + "': " + what, cause);
    }

    /**
     * Refuses a time to connect in where tasks run in other processes, which connect by themselves.
     *
     * @param cluster for the message: {@code the Flink cluster at localhost:8081}
     * @throws TopologyException if the settings have one
     */
    public static void checkElsewhere(TopologyGraph graph, RunSettings settings, String cluster) {
        if (settings.connectTimeout() != null) {
            throw new TopologyException(
                    graph.name(),
                    "",
                    "--connect-timeout is for jobs whose tasks run in this process, and these connect from " + cluster
                            + "; leave it out, and say connectTimeout(…) of the source or sink");
        }
    }

    private static StartContext context(RunSettings settings) {
        long startedNs = settings.clock().nowNs();
        Duration asked = settings.connectTimeout();
        return new StartContext() {
            @Override
            public Duration timeout(Duration own) {
                return asked == null ? own : asked;
            }

            @Override
            public Duration elapsed() {
                return Duration.ofNanos(settings.clock().nowNs() - startedNs);
            }

            @Override
            public void tell(String message) {
                settings.warnings().accept(message);
            }
        };
    }
}
