// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Timeout;

/** The suite on the door. */
@Timeout(900)
class DoorSemanticsTest extends StormSemantics {
    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    @Override
    protected Submitted submit(String name, Map<String, Object> conf, StormTopology topology) {
        StormRun run = StormDoor.of(name, topology, conf, null, DoorSemanticsTest.class.getClassLoader())
                .start(RunSettings.defaults());
        return new Submitted() {
            @Override
            public void activate() {
                run.activate();
            }

            @Override
            public void deactivate() {
                run.deactivate();
            }

            @Override
            public void kill() throws Exception {
                if (!run.job().await(Duration.ZERO)) {
                    assertThat(run.stop(END, BUSY)).as("all bolts have ended").isTrue();
                }
                run.await();
            }
        };
    }
}
