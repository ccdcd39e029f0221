// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunningJob;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a run, of a job that does as it is told. */
@Timeout(300)
final class EmbeddedRunTest {
    private static Host host() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        Map<String, Object> conf = new HashMap<>(Utils.readStormConfig());
        conf.put(Config.TOPOLOGY_NAME, "test");
        ClassLoader loader = EmbeddedRunTest.class.getClassLoader();
        return new Host(new Layout("test", topology.createTopology(), conf, loader), null, loader);
    }

    /** Ends when it is cancelled, by a failure. */
    private static RunningJob failing() {
        AtomicBoolean cancelled = new AtomicBoolean();
        return (RunningJob) Proxy.newProxyInstance(
                EmbeddedRunTest.class.getClassLoader(), new Class<?>[] {RunningJob.class}, (proxy, method, given) -> {
                    if (method.getName().equals("cancel")) {
                        cancelled.set(true);
                        return null;
                    }
                    if (given != null) { // await at most
                        return cancelled.get();
                    }
                    throw new JobFailedException("the last batch cannot be written", null);
                });
    }

    /** As a bolt whose cleanup writes what is left, after a call that took long. */
    @Test
    void shouldTellOfAFailure_alsoWhereItsTimeIsOver() {
        Host host = host();
        EmbeddedRun run = new EmbeddedRun(host, failing());
        assertThatThrownBy(() -> run.stop(Duration.ZERO, Duration.ZERO))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("the last batch cannot be written");
        assertThat(host.ended()).isTrue();
    }
}
