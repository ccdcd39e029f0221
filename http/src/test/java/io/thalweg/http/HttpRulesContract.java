// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.files.Json;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.LiveTestSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records to a service on any road that runs within this JVM. */
@Timeout(900)
public abstract class HttpRulesContract {
    protected static final int PARALLELISM = 2;
    private static final int RECORDS = 2_000;
    private static final long BAD = 7;

    public record Item(long id, long square) {}

    private final TestService.Store store = new TestService.Store(true, id -> id == BAD);
    private TestService service;

    /** With two tasks, and no guarantee. */
    protected abstract Runner runner();

    /** The same, with the strongest guarantee that the road has. */
    protected abstract Runner checkpointing();

    @BeforeEach
    void startService() throws Exception {
        service = new TestService(store);
    }

    @AfterEach
    void stopService() {
        service.close();
    }

    private HttpSink<Item> sink() {
        return Http.post(service.url() + "/items", Json.<Item>encoder()).batch(100);
    }

    private void check(Runner runner, HttpSink<Item> sink) throws Exception {
        List<Item> items =
                LongStream.range(0, RECORDS).mapToObj(i -> new Item(i, i * i)).toList();
        Topology topology = Topology.named("items");
        topology.from(Sources.of(Type.of(Item.class), items)).shuffle().to(sink);
        JobStats stats = runner.start(topology.graph()).await();
        assertThat(store.ids())
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, RECORDS)
                        .filter(id -> id != BAD)
                        .boxed()
                        .toList());
        assertThat(stats.recordsBad()).isEqualTo(1);
    }

    @Test
    void shouldSendEachRecord() throws Exception {
        check(runner(), sink().inFlight(3));
    }

    /** The batch is not full, and the input does not end. */
    @Test
    void shouldSendARecordInTime_ifNoMoreCome() throws Exception {
        LiveTestSource<Item> source = LiveTestSource.of(Item.class).add("s", new Item(1, 1), new Item(2, 4));
        Topology topology = Topology.named("items");
        topology.from(source).to(sink().flushInterval(Duration.ofMillis(100)));
        RunningJob job = runner().start(topology.graph());
        while (store.ids().size() < 2) {
            assertThat(job.await(Duration.ofMillis(50))).isFalse();
        }
        source.end();
        job.await();
        assertThat(store.ids()).containsExactly(1L, 2L);
    }

    /** Whoever looks at the statistics sees that the job waits, and for what. */
    @Test
    void shouldSayThatItWaitsForTheService() throws Exception {
        service.stop();
        LiveTestSource<Item> source = LiveTestSource.of(Item.class).add("s", new Item(1, 1));
        Topology topology = Topology.named("items");
        topology.from(source)
                .to(sink().batch(1).patience(Duration.ofMinutes(10))) // a busy machine takes its time to tell of it
                .name("send");
        RunningJob job = runner().start(topology.graph());
        await(job, connection -> connection.isLost() && connection.lostNs() > 0);
        service.begin();
        await(job, connection -> !connection.isLost());
        source.end();
        ConnectionStats last = job.await().connections().get(0);
        assertThat(store.ids()).containsExactly(1L);
        assertThat(List.of(last.operator(), last.system(), last.timesLost()))
                .isEqualTo(List.of("send", "the service " + service.url() + "/items", 1L));
    }

    private static void await(RunningJob job, Predicate<ConnectionStats> condition) throws InterruptedException {
        while (job.stats().connections().stream().noneMatch(condition)) {
            assertThat(job.await(Duration.ofMillis(50))).isFalse();
        }
    }

    @Test
    void shouldSendEachRecordOnce_withCheckpoints_toAServiceThatDeduplicates() throws Exception {
        check(checkpointing(), sink().deduplicated());
    }

    @Test
    void shouldSendEachRecordOnce_withCheckpoints_byItsKey() throws Exception {
        check(checkpointing(), sink().key(item -> "item-" + item.id()));
    }
}
