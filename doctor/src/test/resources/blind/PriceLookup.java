// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Asks the price service for each order, with a client that returns futures, and waits for the answer. */
public final class PriceLookup implements TopologyDefinition {
    record Order(long id, int article, int pieces) {}

    record Priced(long id, double total) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Order(i, (int) (i % 500), (int) (i % 7) + 1)))
                .name("orders")
                .process(Price::new)
                .name("price")
                .filter(priced -> priced.total() > 10)
                .name("worth")
                .to(Sinks.discard());
    }

    static final class Price implements Operator<Order, Priced> {
        private final ScheduledExecutorService client = Executors.newScheduledThreadPool(4, work -> {
            Thread thread = new Thread(work, "price-client");
            thread.setDaemon(true);
            return thread;
        });

        @Override
        public void process(Order order, Output<Priced> output) throws Exception {
            double price = ask(order.article()).get(5, TimeUnit.SECONDS);
            output.emit(new Priced(order.id(), price * order.pieces()));
        }

        private CompletableFuture<Double> ask(int article) {
            CompletableFuture<Double> answer = new CompletableFuture<>();
            client.schedule(() -> answer.complete(1.5 + article % 40), 3, TimeUnit.MILLISECONDS);
            return answer;
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }
}
