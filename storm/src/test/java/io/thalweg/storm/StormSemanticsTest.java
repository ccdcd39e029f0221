// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.stormdoor.StormSemantics;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** What the Storm door promises, asked of Storm itself. */
@Tag("long")
@Timeout(900)
final class StormSemanticsTest extends StormSemantics {
    private static PooledLocalCluster storm;

    @BeforeAll
    static void begin() throws Exception {
        storm = PooledLocalCluster.take();
    }

    @AfterAll
    static void leave() {
        storm.leave();
    }

    @Override
    protected Submitted submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception {
        Map<String, Object> settings = new HashMap<>(conf);
        settings.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true); // a LocalCluster has none otherwise
        storm.submit(name, settings, topology);
        return new Submitted() {
            @Override
            public void activate() throws Exception {
                storm.cluster().activate(name);
            }

            @Override
            public void deactivate() throws Exception {
                storm.cluster().deactivate(name);
            }

            @Override
            public void kill() {
                storm.kill(name);
            }
        };
    }
}
