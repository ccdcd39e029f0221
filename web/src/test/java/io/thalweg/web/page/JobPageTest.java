// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.thalweg.api.stats.JobState;
import io.thalweg.web.SampleJob;
import io.thalweg.web.server.ListenAddress;
import io.thalweg.web.server.WebServer;
import io.thalweg.web.watch.JobWatch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(900)
final class JobPageTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final JobWatch watch = new JobWatch();
    private final JobPage page = new JobPage(watch, 16, null);
    private WebServer server;

    @BeforeEach
    void open() throws IOException {
        server = WebServer.open(ListenAddress.local("--web", 0), null);
        page.on(server);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private String get(String path) throws Exception {
        HttpResponse<String> answer = CLIENT.send(
                HttpRequest.newBuilder(URI.create(server.address("/")).resolve(path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private static void assertIsJson(String text) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(text)) {
            while (json.nextToken() != null) {
                json.skipChildren();
            }
        }
    }

    @Test
    void shouldNameOnlyFilesThatAreThere() throws Exception {
        String html = get("/");
        Matcher named = Pattern.compile("(?:href|src)=\"([^\"#]+)\"").matcher(html);
        int files = 0;
        while (named.find()) {
            assertThat(get("/" + named.group(1))).isNotEmpty();
            files++;
        }
        assertThat(files).isEqualTo(3);
        for (String script :
                new String[] {"/page.js", "/graph.js", "/charts.js", "/doctor.js", "/control.js", "/text.js"}) {
            Matcher imported = Pattern.compile("from \"\\./([^\"]+)\"").matcher(get(script));
            while (imported.find()) {
                assertThat(get("/" + imported.group(1))).isNotEmpty();
            }
        }
    }

    /** The policy of the server forbids them; a page that had them would not work. */
    @Test
    void shouldHaveNoCodeOutsideItsScripts() throws Exception {
        assertThat(get("/")).doesNotContainPattern("\\son[a-z]+=|style=|<style|javascript:|https?://");
        for (String script :
                new String[] {"/page.js", "/graph.js", "/charts.js", "/doctor.js", "/control.js", "/text.js"}) {
            assertThat(get(script))
                    .doesNotContainPattern("innerHTML|outerHTML|insertAdjacent|document\\.write|eval\\(");
        }
    }

    @Test
    void shouldStartBeforeTheJob() throws Exception {
        assertThat(get("/api/plan")).matches("\\{\"run\":\"[0-9a-f-]{36}\",\"state\":\"STARTING\"}\n");
        assertThat(get("/api/state")).isEqualTo(get("/api/plan"));
    }

    @Test
    void shouldTellHowLateRecordsWere() throws Exception {
        watch.look(SampleJob.after(1));

        assertThat(get("/api/state"))
                .contains(
                        "\"lateRecords\":[{\"operator\":\"count\",\"count\":2,\"halfMs\":5120,\"mostMs\":5120,\"allMs\":5120,"
                                + "\"samples\":[{\"record\":\"<img src=x onerror=alert(1)> \\\"'&\\\\\",\"split\":\"levels.txt\","
                                + "\"timeMs\":1000,\"stampMs\":6100,\"lateByMs\":5101},");
    }

    @Test
    void shouldTellAJudgementOnceToEachThatDoesNotKnowIt() throws Exception {
        watch.look(SampleJob.after(1));
        assertThat(get("/api/plan")).contains("\"judged\":false");
        assertThat(get("/api/state")).doesNotContain("\"doctor\"");
        Judgement second = new Judgement(2, "{\"problem\":\"none\"}");
        new JobPage(watch, 16, () -> second).on(server);

        assertThat(get("/api/plan")).contains("\"judged\":true");
        assertThat(get("/api/state?judged=1")).contains("\"judged\":2,\"doctor\":{\"problem\":\"none\"}}");
        assertThat(get("/api/state?judged=2")).doesNotContain("\"doctor\"");
        assertIsJson(get("/api/state"));
    }

    private HttpResponse<String> post(String path) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(server.address("/")).resolve(path))
                        .header("Thalweg-Control", "right")
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldGiveNoOrdersUnlessItMay() throws Exception {
        watch.look(SampleJob.after(1));
        for (Order order : Order.values()) {
            assertThat(post(order.path()).statusCode()).isEqualTo(405);
        }
        assertThat(get("/api/state")).doesNotContain("\"order\"");
    }

    @Test
    void shouldGiveOrdersAndTellWhatCameOfThem() throws Exception {
        watch.look(SampleJob.after(1));
        List<Order> given = new CopyOnWriteArrayList<>();
        CompletableFuture<String> savepoint = new CompletableFuture<>();
        JobPage obeyed = new JobPage(watch, 16, null);
        obeyed.allowOrders("right", order -> {
            given.add(order);
            return switch (order) {
                case STOP -> CompletableFuture.completedFuture("stopping");
                case DRAIN -> throw new IllegalStateException("it \"cannot\"");
                case SAVEPOINT -> savepoint.thenApply(path -> "savepoint " + path);
            };
        });
        obeyed.on(server);
        assertThat(get("/api/state")).contains("\"order\":{\"number\":0,\"text\":\"\",\"failed\":false}");

        HttpResponse<String> stop = post("/api/stop");
        assertThat(stop.statusCode()).isEqualTo(202);
        assertThat(stop.body()).isEqualTo("{\"said\":\"stopping\"}\n");
        assertThat(get("/api/state")).contains("\"order\":{\"number\":1,\"text\":\"stopping\",\"failed\":false}");

        HttpResponse<String> drain = post("/api/drain");
        assertThat(drain.statusCode()).isEqualTo(409);
        assertThat(drain.body()).isEqualTo("{\"error\":\"it \\\"cannot\\\"\"}\n");

        HttpResponse<String> later = post("/api/savepoint");
        assertThat(later.statusCode()).isEqualTo(202);
        assertThat(later.body()).isEqualTo("{\"said\":\"it is being done\"}\n");
        assertThat(get("/api/state")).contains("\"order\":{\"number\":2,");
        savepoint.completeExceptionally(new IllegalStateException("no checkpoints"));
        assertThat(get("/api/state")).contains("\"order\":{\"number\":3,\"text\":\"no checkpoints\",\"failed\":true}");
        assertIsJson(get("/api/state"));
        assertThat(given).containsExactly(Order.STOP, Order.DRAIN, Order.SAVEPOINT);
    }

    /** An open page is loaded anew by it. */
    @Test
    void shouldDifferFromOtherRunsOfTheSameJob() throws Exception {
        watch.look(SampleJob.after(1));
        String run = get("/api/plan").substring(0, "{'run':'".length() + 36);
        assertThat(get("/api/state")).startsWith(run);
        new JobPage(watch, 16, null).on(server);
        assertThat(get("/api/plan")).doesNotStartWith(run).startsWith("{\"run\":\"");
    }

    @Test
    void shouldNotTakeAJobForEndedThatStartsAgain() throws Exception {
        watch.look(SampleJob.failedForNow(1));
        assertThat(get("/api/state")).contains("\"state\":\"RESTARTING\"");
        watch.look(SampleJob.after(1, "embedded", JobState.FAILED, 0));
        assertThat(get("/api/state")).contains("\"state\":\"FAILED\"");
    }

    @Test
    void shouldTellNoRestartsThatTheEngineDoesNotTell() throws Exception {
        watch.look(SampleJob.after(1, "Flink 2.3.0", JobState.RUNNING, 0));
        assertThat(get("/api/state")).doesNotContain("restarts");
    }

    @Test
    void shouldTellThePlanWithWhereItsChainsStand() throws Exception {
        watch.look(SampleJob.after(1));
        String plan = get("/api/plan");
        assertIsJson(plan);
        assertThat(plan)
                .contains("\"topology\":\"Rivers\"", "\"layers\":2", "\"breadth\":2")
                .contains("\"operators\":[\"count\",\"store\"],\"parallelism\":2,\"runsAs\":\"\",\"at\":[1,0]")
                .contains(
                        "\"from\":0,\"to\":1,\"side\":\"\",\"grouping\":\"by key String\",\"feedback\":false,\"points\":[[0,0.5],[1,0]]")
                .contains("{\"operator\":\"\",\"name\":\"guarantee\",\"value\":\"at-least-once\"}");
    }

    @Test
    void shouldTellHowTheJobIsDoing() throws Exception {
        watch.look(SampleJob.after(10));
        watch.look(SampleJob.after(12));
        String state = get("/api/state");
        assertIsJson(state);
        assertThat(state)
                .contains(
                        "\"state\":\"RUNNING\"", "\"elapsedMs\":12000", "\"in\":12000", "\"inRate\":1000", "\"lag\":11")
                .contains("\"edges\":[1000,1000]", "\"tasks\":[]", "\"cores\":1.5")
                .contains(
                        "{\"tasks\":2,\"in\":1000,\"out\":0,\"busy\":0.5,\"heldBack\":0,\"waiting\":0.5,\"queued\":8,\"room\":32,"
                                + "\"skew\":1.5,\"bad\":0,\"late\":2}")
                .contains("\"acks\":{\"pending\":5,\"acked\":11995,")
                .contains("\"checkpoints\":[{\"number\":1,\"beganMs\":1010000,\"tookMs\":40,")
                .contains("\"reason\":\"no level: #\",\"count\":3,\"place\":\"levels.txt, line 3, offset 8\"")
                .contains("\"columns\":[{\"number\":1,\"epochMs\":1012000,\"in\":1000,\"out\":1000,"
                        + "\"latencies\":[0,500,1,500,2,1000]}]");
    }

    @Test
    void shouldTellTasksOfOneChainAndColumnsThatAreNew() throws Exception {
        for (int second = 1; second <= 5; second++) {
            watch.look(SampleJob.after(second));
        }
        String state = get("/api/state?after=3&chain=1");
        assertThat(state)
                .contains("\"chain\":1,\"tasks\":[{\"task\":\"count+store[0]\",\"index\":0,\"in\":250,")
                .contains("\"columns\":[{\"number\":4,")
                .doesNotContain("\"number\":3,\"epochMs\"");
        for (String odd :
                new String[] {"?after=x&chain=-1", "?chain=99", "?after=", "?after=99999999999999999999", "?x&&="}) {
            assertThat(get("/api/state" + odd)).contains("\"tasks\":[]");
        }
    }

    @Test
    void shouldEscapeWhatUsersNamed() throws Exception {
        watch.look(SampleJob.after(1, "embedded", JobState.RUNNING, 2));
        for (String path : new String[] {"/api/plan", "/api/state?chain=0"}) {
            String text = get(path);
            assertIsJson(text);
            assertThat(text).contains("<img src=x onerror=alert(1)> \\\"'&\\\\");
        }
    }

    @Test
    void shouldWaitAtTheEndOnlyForThoseWhoShowIt() throws Exception {
        watch.look(SampleJob.after(1));
        page.end(Long.MAX_VALUE); // nobody does, so this returns
        assertThat(page.isShown()).isFalse();
    }

    @Test
    void shouldWaitAtTheEndUntilItWasSeen() throws Exception {
        watch.look(SampleJob.after(1));
        get("/api/state");
        assertThat(page.isShown()).isTrue();
        CountDownLatch returned = new CountDownLatch(1);
        Thread viewer = new Thread(() -> {
            try {
                do {
                    get("/api/state");
                } while (!returned.await(10, TimeUnit.MILLISECONDS));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        watch.look(SampleJob.after(1, "embedded", JobState.FINISHED, 0));
        viewer.start();
        try {
            page.end(Long.MAX_VALUE);
        } finally {
            returned.countDown();
        }
        viewer.join();
        assertThat(page.isShown()).isTrue();
    }

    @Test
    void shouldForgetThoseWhoHaveLeft() throws Exception {
        watch.look(SampleJob.after(1));
        get("/api/state");
        for (int look = 0; look < 4; look++) {
            assertThat(page.isShown()).isTrue();
            page.looked();
        }
        assertThat(page.isShown()).isFalse();
    }
}
