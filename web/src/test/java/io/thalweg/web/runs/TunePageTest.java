// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.web.server.ListenAddress;
import io.thalweg.web.server.WebServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(900)
final class TunePageTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final SampleTuning tuning = new SampleTuning();
    private final TunePage page = new TunePage(tuning::detail);
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

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(server.address("/")).resolve(path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String get(String path) throws Exception {
        HttpResponse<String> answer = send(to(path));
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    @Test
    void shouldAnswerWithTheTuningAsItIs() throws Exception {
        assertThat(get("/api/tuning")).contains("\"state\":\"RUNNING\"", "\"outcome\":\"TRYING\"");
        tuning.over = true;
        assertThat(get("/api/tuning")).contains("\"state\":\"FINISHED\"", "\"outcome\":\"OUTPUT_DIFFERS\"");
    }

    @Test
    void shouldOnlyReadAndAnswerNoOtherPage() throws Exception {
        assertThat(send(to("/api/tuning").header("Origin", "http://elsewhere.example"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(to("/api/tuning").POST(HttpRequest.BodyPublishers.ofString("x")))
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void shouldHaveOnlyFilesThatAreThereAndNoCodeOutsideThem() throws Exception {
        String html = get("/");
        assertThat(html).doesNotContainPattern("\\son[a-z]+=|style=|<style|javascript:|https?://");
        Matcher named = Pattern.compile("(?:href|src)=\"([^\"#]+)\"").matcher(html);
        int files = 0;
        while (named.find()) {
            assertThat(get("/" + named.group(1))).isNotEmpty();
            files++;
        }
        assertThat(files).isEqualTo(3);
        for (String script : new String[] {"/tune.js", "/steps.js"}) {
            assertThat(get(script))
                    .contains("from \"./text.js\"")
                    .doesNotContainPattern("innerHTML|outerHTML|insertAdjacent|document\\.write|eval\\(");
        }
        assertThat(get("/text.js")).isNotEmpty();
    }

    @Test
    void shouldNotWaitAtItsEndIfNobodyHasLooked() throws Exception {
        page.end(Long.MAX_VALUE);
    }

    @Test
    void shouldWaitAtItsEndUntilAViewerHasSeenIt() throws Exception {
        get("/api/tuning");
        CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> {
            try {
                page.end(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (!ended.isDone()) { // an answer may have been under way before the end
            get("/api/tuning");
        }
        ended.get(1, TimeUnit.MINUTES);
    }
}
