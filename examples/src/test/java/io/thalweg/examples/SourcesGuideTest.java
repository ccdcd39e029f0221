// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.TestSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide shows of sources, run and checked. */
@Timeout(900)
final class SourcesGuideTest {
    // region live
    /** Orders that another part of the program puts into queues, one for each shop. */
    record Orders() implements LiveSource<String> {
        static final Map<String, BlockingQueue<String>> SHOPS = new ConcurrentHashMap<>();

        @Override
        public String name() {
            return "orders";
        }

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.copyOf(SHOPS.keySet());
        }

        @Override
        public Duration discovery() {
            return Duration.ofMillis(100); // shops open at any time
        }

        @Override
        public LiveReader<String> open(SourceContext context) {
            return new OrdersReader();
        }
    }

    /** Reads the queues of all shops of one task. */
    static final class OrdersReader implements LiveReader<String> {
        private final List<String> shops = new ArrayList<>();
        private final BlockingQueue<Boolean> wakeUps = new LinkedBlockingQueue<>(1);
        private long position;

        @Override
        public void add(String shop) {
            shops.add(shop);
        }

        @Override
        public List<RecordBatch<String>> fetch(Duration atMost) throws InterruptedException {
            List<RecordBatch<String>> batches = new ArrayList<>();
            for (String shop : shops) {
                List<String> orders = new ArrayList<>();
                Orders.SHOPS.get(shop).drainTo(orders, 1_000);
                if (!orders.isEmpty()) {
                    batches.add(RecordBatch.of(shop, position, orders, false));
                    position += orders.size();
                }
            }
            if (batches.isEmpty()) {
                wakeUps.poll(Math.min(10, atMost.toMillis()), TimeUnit.MILLISECONDS); // nobody tells us of orders
            }
            return batches;
        }

        @Override
        public void wakeUp() {
            wakeUps.offer(true);
        }

        @Override
        public void pause(String shop) {
            shops.remove(shop);
        }

        @Override
        public void resume(String shop) {
            shops.add(shop);
        }
    }
    // endregion

    @Test
    void shouldReadOrdersOfShopsThatOpenLater() throws Exception {
        Orders.SHOPS.put("Oslo", new LinkedBlockingQueue<>(List.of("a", "b")));
        CollectSink<String> sink = CollectSink.of(String.class);
        Topology topology = Topology.named("orders");
        topology.from(new Orders()).to(sink);
        Job job = new EmbeddedRunner(RunSettings.defaults().withParallelism(2)).start(topology.graph());

        Orders.SHOPS.put("Rome", new LinkedBlockingQueue<>(List.of("c")));
        while (job.stats().recordsOut() < 3) {
            assertThat(job.await(Duration.ofMillis(10))).isFalse();
        }
        job.cancel();
        job.await();

        assertThat(sink.records()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void shouldReadSplitsThatWaitForEachOther() throws Exception {
        TestSource<Long> source = TestSource.of(Type.of(Long.class), 2)
                .addTo(0, List.of(0L, 1L))
                .addTo(1, List.of(1_000_000L))
                .end();
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("aligned");
        // region aligned
        topology.from(source)
                .eventTime(time -> time, Duration.ofSeconds(1), Duration.ofMinutes(1))
                .alignedWithin(Duration.ofMinutes(5))
                .to(sink);
        // endregion
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();
        assertThat(sink.records()).containsExactlyInAnyOrder(0L, 1L, 1_000_000L);
    }

    @Test
    void shouldReadLinesOfAServer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread sending = new Thread(() -> send(server), "sending");
            sending.start();
            String address = "127.0.0.1:" + server.getLocalPort();
            CollectSink<Integer> sink = CollectSink.of(Integer.class);
            Topology topology = Topology.named("lines");
            // region socket
            topology.from(Sources.socketLines(address)) // HOST:PORT, several of them too
                    .map(String::length)
                    .to(sink);
            // endregion
            new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();
            sending.join();
            assertThat(sink.records()).containsExactly(5, 3);
        }
    }

    private static void send(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write("hello\nyou\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
