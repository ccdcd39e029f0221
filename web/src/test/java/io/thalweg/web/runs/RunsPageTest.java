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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(900)
final class RunsPageTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final SampleRuns runs = new SampleRuns();
    private WebServer server;

    @BeforeEach
    void open() throws IOException {
        server = WebServer.open(ListenAddress.local("--web", 0), null);
        RunsPage.on(server, runs);
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
    void shouldListWhatRunsAndWhatRan() throws Exception {
        assertThat(get("/api/jobs"))
                .startsWith("{\"jobs\":[{\"id\":\"Rivers-1\"")
                .contains("\"problem\":\"does not answer\"");
        assertThat(get("/api/runs"))
                .startsWith("{\"runs\":[{\"id\":\"second\"")
                .endsWith("],\"place\":\"/somewhere/history.db\"}\n");
        assertThat(get("/api/run?id=first")).startsWith("{\"id\":\"first\"").contains("\"plan\":{");
    }

    @Test
    void shouldListWhatWasTuned() throws Exception {
        assertThat(get("/api/tunings"))
                .startsWith("{\"tunings\":[{\"id\":\"tuned\"")
                .endsWith("],\"place\":\"/somewhere/history.db\"}\n");
        assertThat(get("/api/tuning?id=tuned")).contains("\"outcome\":\"KEPT\"");
        HttpResponse<String> other = send(to("/api/tuning?id=first"));
        assertThat(other.statusCode()).isEqualTo(404);
        assertThat(other.body()).isEqualTo("{\"error\":\"there is no such tuning\"}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?id=", "?id=third", "?id=../first", "?id=first%20", "?other=first"})
    void shouldFindNoOtherRun(String query) throws Exception {
        HttpResponse<String> answer = send(to("/api/run" + query));
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("{\"error\":\"there is no such run\"}\n");
    }

    @Test
    void shouldSayThatRunsCannotBeRead() throws Exception {
        runs.problem = "history.db is damaged";
        assertThat(get("/api/runs")).isEqualTo("{\"problem\":\"history.db is damaged\"}\n");
        assertThat(get("/api/run?id=first")).isEqualTo("{\"problem\":\"history.db is damaged\"}\n");
        assertThat(get("/api/tunings")).isEqualTo("{\"problem\":\"history.db is damaged\"}\n");
        assertThat(get("/api/tuning?id=tuned")).isEqualTo("{\"problem\":\"history.db is damaged\"}\n");
        assertThat(get("/api/jobs")).startsWith("{\"jobs\":[{");
    }

    /** And not all of them, since an answer that is no JSON tells of none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"id\":\"fir",
                "{\"id\":\"first\"}}",
                "[1]",
                "{\"id\":\"first\"},{\"id\":\"third\"}",
                "text"
            })
    void shouldLeaveOutARunThatIsDamaged(String text) throws Exception {
        runs.damaged = text;
        assertThat(get("/api/runs"))
                .startsWith("{\"runs\":[{\"id\":\"second\"")
                .endsWith("}],\"damaged\":1,\"place\":\"/somewhere/history.db\"}\n")
                .doesNotContain("first", "third");
        assertThat(get("/api/run?id=first")).isEqualTo("{\"problem\":\"what is kept of it is damaged\"}\n");
        assertThat(get("/api/run?id=second")).startsWith("{\"id\":\"second\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/runs.js",
                "/steps.js",
                "/api/jobs",
                "/api/runs",
                "/api/run?id=first",
                "/api/tunings",
                "/api/tuning?id=tuned"
            })
    void shouldAnswerNoOtherPageAndOnlyReads(String path) throws Exception {
        assertThat(send(to(path).header("Origin", "http://elsewhere.example")).statusCode())
                .isEqualTo(403);
        assertThat(send(to(path).POST(HttpRequest.BodyPublishers.ofString("x"))).statusCode())
                .isEqualTo(405);
        try (WebServer guarded = WebServer.open(ListenAddress.local("--web", 0), "sixteen-letters-0")) {
            RunsPage.on(guarded, runs);
            URI at = URI.create("http://127.0.0.1:" + guarded.port()).resolve(path);
            assertThat(send(HttpRequest.newBuilder(at)).statusCode()).isEqualTo(401);
            assertThat(send(HttpRequest.newBuilder(at).header("Authorization", "Bearer sixteen-letters-0"))
                            .statusCode())
                    .isEqualTo(200);
        }
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
        assertThat(get("/runs.js"))
                .contains("from \"./text.js\"")
                .doesNotContainPattern("innerHTML|outerHTML|insertAdjacent|document\\.write|eval\\(");
        assertThat(get("/text.js")).isNotEmpty();
    }
}
