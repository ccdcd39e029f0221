// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.files.Json;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.LiveTestSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that the guide shows, and how jobs end whose service does not do what it should. */
@Timeout(900)
final class HttpGuideTest {
    record Total(String shop, long sum) {}

    private static final List<Total> TOTALS = List.of(new Total("a", 1), new Total("b", 2));

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    private static void write(Stream<Total> totals, String url) {
        // region write
        totals.to(Http.post(url, Json.<Total>encoder())
                .bearer(Secret.environment("TOTALS_TOKEN"))
                .batch(100)
                .gzip());
        // endregion
    }

    private static void key(Stream<Total> totals, String url) {
        // region key
        totals.to(Http.post(url, Json.<Total>encoder()).key(Total::shop));
        // endregion
    }

    private static Stream<Total> totals(Topology topology) {
        return topology.from(Sources.of(Type.of(Total.class), TOTALS));
    }

    private void run(Topology topology, RunSettings settings) throws Exception {
        new EmbeddedRunner(settings.withWarnings(warnings::add))
                .start(topology.graph())
                .await();
    }

    /** The variable is not set where the tests run; what comes then is the line that a user sees. */
    @Test
    void shouldSayThatTheSecretIsMissing() throws Exception {
        Topology topology = Topology.named("totals");
        write(totals(topology), "http://127.0.0.1:1/");
        assertThatThrownBy(() -> run(topology, RunSettings.defaults()))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("TOTALS_TOKEN is not set; export TOTALS_TOKEN");
    }

    @Test
    void shouldSendKeys_inAJobThatIsExactlyOnce(@TempDir Path folder) throws Exception {
        try (TestService service = new TestService(request -> TestService.ok())) {
            Topology topology = Topology.named("totals");
            key(totals(topology), service.url());
            run(
                    topology,
                    RunSettings.defaults()
                            .withParallelism(1)
                            .withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder)));
            assertThat(service.requests()).extracting(TestService.Request::key).containsExactly("a", "b");
        }
    }

    @Test
    void shouldTellThatTheServiceIsAway_andFailInTheEnd() throws Exception {
        try (TestService service = new TestService(request -> TestService.status(503, "closed for today"))) {
            warmUp(service.url());
            Topology topology = Topology.named("totals");
            totals(topology)
                    .to(Http.post(service.url(), Json.<Total>encoder()).patience(Duration.ofMillis(8_400)))
                    .name("send");
            assertThatThrownBy(() -> run(topology, RunSettings.defaults().withParallelism(1)))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("send")
                    .hasMessageContaining("within 8 s (patience): status 503: closed for today");
            assertThat(warnings)
                    .anyMatch(each -> each.equals("operator 'send': the service " + service.url()
                            + " is not available (status 503: closed for today); the job waits for it"));
        }
    }

    /** The first request of a JVM may take seconds on a busy machine, and the patience is to last for two requests. */
    private static void warmUp(String url) throws Exception {
        HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding());
    }

    /** Its last checkpoint waits for the request, and that no longer than the user has patience. */
    @Test
    void shouldEndInTime_ifItIsStoppedWhileTheServiceIsSilent(@TempDir Path folder) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (TestService service = new TestService(request -> {
            asked.countDown();
            return TestService.never();
        })) {
            LiveTestSource<Total> source = LiveTestSource.of(Total.class).add("s", new Total("a", 1));
            Topology topology = Topology.named("totals");
            topology.from(source)
                    .to(Http.post(service.url(), Json.<Total>encoder())
                            .batch(1)
                            .requestTimeout(Duration.ofMillis(100))
                            .patience(Duration.ofMillis(500)));
            RunningJob job = new EmbeddedRunner(RunSettings.defaults()
                            .withStopTimeout(Duration.ofMillis(50))
                            .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder)))
                    .start(topology.graph());
            asked.await();
            job.cancel();
            try {
                job.await();
                assertThat(job.stoppedShort()).isTrue();
            } catch (JobFailedException e) {
                assertThat(e).hasMessageContaining("(patience): no response within 100 ms (requestTimeout)");
            }
        }
    }
}
