// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.files.Json;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.PlanText;
import io.thalweg.run.RunSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class StatsFileTest {
    private static PlanInfo plan() {
        Topology topology = Topology.named("Rivers");
        topology.from(Sources.of("a", "b\u001b[2J"))
                .name("\"levels\"")
                .shuffle()
                .map(level -> level + "\n")
                .to(Sinks.print());
        return new EmbeddedRunner(RunSettings.defaults()
                        .withParallelism(2)
                        .withThreads(2)
                        .withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(Path.of("kept"))))
                .plan(topology.graph());
    }

    @Test
    void shouldHoldAPlanThatATopologyCanReadAgain() throws Exception {
        JobStats stats = Sample.with(plan(), Sample.task("levels[0]", 1.5));

        JobStats read = Json.reader(JobStats.class).apply(StatsFile.json(stats).getBytes(StandardCharsets.UTF_8));

        assertThat(read).isEqualTo(stats);
        assertThat(read.plan().edges()).hasSize(2);
        assertThat(PlanText.of(read.plan())).isEqualTo(PlanText.of(plan()));
    }

    @Test
    void shouldHoldThePlanInALine() throws Exception {
        assertThat(Json.reader(PlanInfo.class).apply(StatsFile.line(plan()).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(plan());
    }
}
