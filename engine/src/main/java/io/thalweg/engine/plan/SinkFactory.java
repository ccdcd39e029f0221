// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkReports;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.sink.SinkStage;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.run.Clock;
import java.util.function.Consumer;

/** Makes the stage of a sink, and its receiver. */
final class SinkFactory {
    private final TaskSite site;
    private final ChainParts parts;

    SinkFactory(TaskSite site, ChainParts parts) {
        this.site = site;
        this.parts = parts;
    }

    /** @param oneToOne every input record of the task reaches the sink exactly once */
    Receiver entry(Node node, NodeSpec.Sink spec, boolean oneToOne) {
        SinkStage.Write write =
                site.specialiser().of(node.name()).make(new SinkStage.Writing.Parts(node.name(), site.frame()));
        BuildSettings settings = site.job().settings();
        SinkContext context = new SinkContext(
                site.graph().name(),
                node.name(),
                site.index(),
                site.parallelism(),
                settings.console(),
                site.graph().inputsOf(node).get(0).type().codec(),
                settings.guarantee(),
                goesOnFrom(),
                settings.run(),
                reports(node.name()));
        parts.stages.add(new SinkStage(spec.sink(), context, write));
        return counted(write, oneToOne);
    }

    /** Adds a counter if not every input record reaches the sink. */
    private Receiver counted(SinkStage.Write write, boolean oneToOne) {
        if (oneToOne || !TaskCounters.ON) {
            parts.sinksOfAll++;
            return write;
        }
        Count.Passed passed = new Count.Passed();
        parts.written.add(passed);
        return site.specialiser().make(new Count.Parts(write, passed));
    }

    /** The number for {@link SinkContext#checkpoint}. */
    private long goesOnFrom() {
        SavedState saved = site.job().saved();
        if (site.job().checkpoints() == null) {
            return SinkContext.NO_CHECKPOINTS;
        }
        return saved == null ? 0 : saved.info().number();
    }

    private SinkReports reports(String operator) {
        Frame frame = site.frame();
        Consumer<String> warnings = site.job().settings().warnings();
        Clock clock = site.job().settings().clock();
        return new SinkReports() {
            @Override
            public void bad(BadRecord record) {
                frame.refused(operator, record);
            }

            @Override
            public void warn(String message) {
                warnings.accept("operator '" + operator + "': " + message);
            }

            @Override
            public ConnectionReports connections() {
                return frame.connections.apply(operator);
            }

            @Override
            public long nowNs() {
                return clock.nowNs();
            }
        };
    }
}
