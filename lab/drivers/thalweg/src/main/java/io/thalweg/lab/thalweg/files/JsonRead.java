// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg.files;

import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;
import io.thalweg.files.JsonLines;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.ProbeTotals;

/** All fields of telecom records, and nothing but their totals. */
public final class JsonRead implements TopologyDefinition {
    record Totals(long n, long chars, long wholes, double reals, long truths) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(JsonLines.read(settings.text("in", "-"), Probe.class))
                .map(ProbeTotals::of)
                .window(Windows.whole())
                .aggregate(Aggregates.into(
                        Totals.class,
                        Aggregates.named("n", Aggregates.count()),
                        Aggregates.named("chars", Aggregates.sum(ProbeTotals::chars)),
                        Aggregates.named("wholes", Aggregates.sum(ProbeTotals::wholes)),
                        Aggregates.named("reals", Aggregates.sumDouble(ProbeTotals::reals)),
                        Aggregates.named("truths", Aggregates.sum(ProbeTotals::truths))))
                .map(result -> result.value())
                .to(Csv.write(settings.text("out", "-"), Totals.class));
    }
}
