// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs cells on Flink: a MiniCluster in this JVM for each, or a cluster of two TaskManagers that stays up. */
public final class FlinkDriver implements Driver {
    @Override
    public String version() {
        return EnvironmentInformation.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        FlinkJob job = FlinkJob.of(cell);
        int slots = Math.max(cell.sources(), Math.max(cell.relays(), cell.sinks()));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(slots, job.configuration());
        job.describe(environment);
        environment.execute("lab");
    }

    @Override
    public void close() {}
}
