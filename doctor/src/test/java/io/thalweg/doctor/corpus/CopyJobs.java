// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Topology;
import java.util.List;

/** Records of a source that uses its objects again, so that they are copied on their way to another task. */
final class CopyJobs {
    private CopyJobs() {}

    static final List<PlantedJob> JOBS = List.of(
            PlantedJob.of("record-copies", List.of("record-copies @ sheets"), () -> job(20, 0)),
            PlantedJob.of("healthy-copies", List.of(), () -> job(1, 10)));

    /** @param micros what is computed of each sheet, besides its sum */
    private static TopologyGraph job(int lines, int micros) {
        Topology topology = Topology.named("Copies");
        topology.from(new SheetSource(lines))
                .name("sheets")
                .keyBy(sheet -> sheet.key() % 1_000)
                .process(() -> new Sums(micros))
                .name("sum")
                .to(Sinks.discard());
        return topology.graph();
    }

    private static final class Sums implements KeyedOperator<Long, SheetSource.Sheet, Long> {
        private static final long serialVersionUID = 1L;

        private final int micros;

        Sums(int micros) {
            this.micros = micros;
        }

        @Override
        public void process(Long key, SheetSource.Sheet sheet, Output<Long> output) {
            long sum = Work.compute(key, micros);
            for (SheetSource.Line line : sheet.lines) {
                sum += line.amount * line.cents;
            }
            output.emit(sum);
        }
    }
}
