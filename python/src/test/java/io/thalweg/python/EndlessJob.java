// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;

/** A job that {@link PythonFaultsTest} kills; it says on standard output when its processes are busy. */
final class EndlessJob {
    private EndlessJob() {}

    /** @param arguments file of Python source, function */
    public static void main(String[] arguments) throws Exception {
        Topology topology = Topology.named("endless");
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Python.operator(Path.of(arguments[0]), arguments[1])
                .processes(2)
                .batch(1)
                .map(
                        topology.from(Sources.generate(Long.MAX_VALUE, i -> i).rate(1_000))
                                .peek(EndlessJob::tell),
                        Long.class)
                .to(sink);
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
    }

    private static void tell(long value) {
        if (value == 100) { // each process has rows by then
            System.out.println("under way");
        }
    }
}
