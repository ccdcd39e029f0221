// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.storm.Config;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What leads back, and is on its way when its executor is closed. */
@Timeout(300)
final class FeedbackQueueTest {
    private final Host host = host();
    private final FeedbackQueue queue = new FeedbackQueue();
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private static Host host() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        Map<String, Object> conf = new HashMap<>(Utils.readStormConfig());
        conf.put(Config.TOPOLOGY_NAME, "test");
        ClassLoader loader = FeedbackQueueTest.class.getClassLoader();
        return new Host(new Layout("test", topology.createTopology(), conf, loader), null, loader);
    }

    @AfterEach
    void end() {
        host.end();
    }

    private DoorTuple tuple() {
        Layout.Place place = host.layout.place("words", 0, 0);
        int task = host.layout.component("words").tasks().get(0);
        return new DoorTuple(place, host.context(), List.of("a"), "words", task, "default", MessageId.makeUnanchored());
    }

    /** Its thread takes a tuple, and waits before the executor until that is closed. */
    private void take(boolean delivered) throws InterruptedException {
        queue.add(tuple());
        queue.add(tuple());
        queue.begin(
                "takes",
                tuple -> {
                    if (delivered) {
                        queue.delivered();
                    }
                    taken.countDown();
                    await(closed);
                },
                failure -> {});
        taken.await();
        queue.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Who asks after the end may be faster than the thread that has it. */
    @Test
    void shouldCountWhatItsThreadHasTaken_andNotDelivered() throws Exception {
        take(false);
        try {
            assertThat(queue.left()).isEqualTo(2);
        } finally {
            closed.countDown();
        }
    }

    @Test
    void shouldNotCountWhatWasDelivered() throws Exception {
        take(true);
        try {
            assertThat(queue.left()).isEqualTo(1);
        } finally {
            closed.countDown();
        }
        assertThat(queue.add(tuple())).isFalse();
        assertThat(queue.left()).isEqualTo(1);
    }
}
