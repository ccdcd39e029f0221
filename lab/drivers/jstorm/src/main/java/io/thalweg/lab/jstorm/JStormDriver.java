// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.Config;
import backtype.storm.generated.StormTopology;
import backtype.storm.utils.Utils;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import java.time.Duration;

/** Runs cells on JStorm. Its topologies do not end by themselves and its local daemons do not
 * take a second one well: all of it is ended when the records came out, and restarted for the next run. */
public final class JStormDriver implements Driver {
    private static final Duration LONGEST_START = Duration.ofMinutes(3);

    /** Longer than any run; the lab itself looks after runs that hang. */
    private static final Duration LONGEST_RUN = Duration.ofHours(3);

    private final Tuning tuning = Tuning.read();

    @Override
    public String version() {
        return Utils.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        StormTopology topology = Relay.topology(cell, cell.folder().path());
        Config config = Relay.config(cell, tuning.of(cell.variant()));
        try (LocalDaemons daemons = new LocalDaemons(cell.folder().path().resolve("jstorm"))) {
            daemons.submit("run", config, topology);
            // A worker that is ended while it is being prepared takes the whole JVM with it.
            cell.folder().awaitStarted(LONGEST_START);
            cell.folder().awaitDrained(cell, LONGEST_RUN);
        }
    }

    @Override
    public void close() {
        // each run ends what it started
    }
}
