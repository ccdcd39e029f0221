// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import io.thalweg.lab.hand.child.PythonChildren;

/** Runs cells without an engine, on one thread or on two. */
public final class HandDriver implements Driver {
    private static final String RING = "ring";

    @Override
    public String version() {
        return "1";
    }

    @Override
    public void run(Cell cell) throws Exception {
        if (cell.from().equals("kafka")) {
            TopicLoop.run(cell);
            return;
        }
        if (cell.processer().equals("python")) {
            PythonChildren.run(cell, pending(cell));
            return;
        }
        boolean ring = cell.variant().equals(RING);
        try (Load load = Load.open(cell, 0, 1);
                SinkMeter sink = Meters.of(cell).sink()) {
            switch (cell.workload()) {
                case RELAY -> relay(cell, load, sink, ring);
                case GROUP_BY -> {
                    Groups groups = new Groups(cell, sink);
                    if (ring) {
                        Ring.run(load, groups::fact, groups::add);
                    } else {
                        groups.loop(load);
                    }
                    groups.fire();
                }
                case WINDOWS -> {
                    Bids bids = new Bids(cell, sink);
                    if (ring) {
                        Ring.run(load, bids::make, bids::add);
                    } else {
                        bids.loop(load);
                    }
                    bids.fire();
                }
                default -> throw new IllegalArgumentException("no workload of hand: " + cell.workload());
            }
        }
    }

    private static void relay(Cell cell, Load load, SinkMeter sink, boolean ring) throws Exception {
        if (cell.payload() > 0 || cell.hoard() > 0) {
            Messages messages = new Messages(cell, sink);
            if (ring && cell.acked()) {
                Ring.run(load, messages::make, messages::pass, pending(cell));
            } else if (ring) {
                Ring.run(load, messages::make, messages::pass);
            } else {
                messages.loop(load);
            }
        } else if (cell.ratePerSecond() > 0 || cell.stamps()) {
            if (ring) {
                NumberRing.runTimed(load, sink);
            } else {
                Numbers.loopTimed(load, sink);
            }
        } else if (ring) {
            NumberRing.run(load, sink);
        } else {
            Numbers.loop(load, sink);
        }
    }

    /** Where nothing is said, as many as would be under way anyway. */
    private static int pending(Cell cell) {
        return cell.maxPending() > 0 ? cell.maxPending() : Positions.RECORDS * Positions.BATCHES;
    }

    @Override
    public void close() {
        // nothing outlives a run
    }
}
