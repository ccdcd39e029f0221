// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.python.Python;
import io.thalweg.python.PythonOperator;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** Operators in Python, which need {@code python3}. */
final class PythonJobs {
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    private PythonJobs() {}

    /** Wide enough that to pass it costs more than to read one field of it. */
    record Reading(
            long number,
            String sensor,
            String place,
            String unit,
            double value,
            double least,
            double most,
            String note) {}

    static final List<PlantedJob> JOBS = List.of(
            PlantedJob.of("python-serialization", List.of("python"), () -> job("first", OptionalInt.empty())),
            PlantedJob.of("python-waits", List.of("python"), () -> job("asked", OptionalInt.empty())),
            PlantedJob.of("python-computes", List.of("python"), () -> job("computed", OptionalInt.empty())),
            PlantedJob.of("healthy-python", List.of(), () -> job("first", OptionalInt.of(1_000))));

    private static TopologyGraph job(String function, OptionalInt rate) {
        PythonOperator operator = Python.operator(Path.of("src/test/python/readings.py"), function);
        Topology topology = Topology.named("Python");
        var source = Sources.generate(ENDLESS, PythonJobs::reading).splitInto(2);
        Stream<Reading> readings = topology.from(rate.isPresent() ? source.rate(rate.getAsInt()) : source);
        operator.map(readings, Double.class).name("score").to(Sinks.discard());
        return topology.graph();
    }

    private static Reading reading(long number) {
        return new Reading(
                number, "sensor-" + number % 50, "hall " + number % 7, "celsius", number % 40, -20, 60, "calibrated");
    }
}
