// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Asks for 2,000 quotes a second, with up to 100 questions under way, each answered after 5 ms. */
public final class HealthyQuotes implements TopologyDefinition {
    record Question(long id, int paper) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Question(i, (int) (i % 300)))
                        .rate(2_000))
                .name("questions")
                .async()
                .concurrency(100)
                .timeout(Duration.ofSeconds(5))
                .map(HealthyQuotes::ask)
                .as(Double.class)
                .name("quote")
                .to(Sinks.discard());
    }

    static CompletionStage<Double> ask(Question question) {
        return CompletableFuture.supplyAsync(
                () -> question.paper() * 1.25, CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS));
    }
}
