// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import io.thalweg.stormdoor.UnackedStormSemantics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** What Storm promises without acks, on Flink. */
@Timeout(900)
@Tag("integration")
final class StormSemanticsOnFlinkTest extends UnackedStormSemantics {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @Override
    protected Submitted submit(String name, Map<String, Object> conf, StormTopology topology) {
        Map<String, Object> settings = new HashMap<>(conf);
        settings.put(Config.TOPOLOGY_ACKER_EXECUTORS, 0);
        StormRun run = StormDoor.of(name, topology, settings, null, StormSemanticsOnFlinkTest.class.getClassLoader())
                .start(FLINK.runner(RunSettings.defaults()));
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
                    assertThat(run.stop(END)).as("it has ended").isTrue();
                }
                run.await();
            }
        };
    }
}
