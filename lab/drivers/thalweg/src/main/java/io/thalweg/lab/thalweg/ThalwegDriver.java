// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.RunSettings;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.driver.RefusedException;

/** Runs cells on the embedded engine. */
public final class ThalwegDriver implements Driver {
    @Override
    public String version() {
        String version = EmbeddedRunner.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }

    @Override
    public void run(Cell cell) throws Exception {
        refuse(cell);
        if (cell.workload() == Cell.Workload.TOPOLOGY) {
            UserTopology.run(cell);
            return;
        }
        Topology topology = Topology.named(cell.text("workload", "relay"));
        boolean apart = cell.variant().equals("apart");
        switch (cell.workload()) {
            case RELAY -> Relay.define(topology, cell, apart);
            case GROUP_BY -> Grouped.define(topology, cell, apart);
            case TELECOM -> Telecom.define(topology, cell, apart);
            default -> throw new RefusedException("Thalweg's Kafka connector is not built yet");
        }
        new EmbeddedRunner(RunSettings.defaults().withParallelism(1))
                .start(topology.graph())
                .await();
    }

    private static void refuse(Cell cell) throws RefusedException {
        if (cell.processes() > 1) {
            throw new RefusedException("not applicable: Thalweg runs in one process");
        }
        if (cell.guarantee() != Cell.Guarantee.NONE) {
            throw new RefusedException("Thalweg's guarantees are not built yet");
        }
        if (!cell.from().equals("generated")) {
            throw new RefusedException("Thalweg's Kafka connector is not built yet");
        }
        if (!cell.processer().equals("builtin")) {
            throw new RefusedException("Thalweg's external operators are not built yet");
        }
    }

    @Override
    public void close() {}
}
