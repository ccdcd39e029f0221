// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.cli.Cli.Outcome;
import io.thalweg.testkit.FreePort;
import io.thalweg.testkit.ListeningSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code thalweg run --web}, as a user and a browser see it. */
@Timeout(900)
@Tag("integration")
final class WebCommandTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int MOST_ASKED = 10_000;
    private static final int MOST_TRIES = 10;

    @TempDir
    private Path folder;

    private Cli cli;

    @BeforeEach
    void writeJobs() {
        cli = Cli.patientServer(folder);
        endless("Endless");
        cli.job("Short", "topology.from(Sources.generate(3, i -> i)).to(Sinks.print());");
    }

    private void endless(String name) {
        cli.job(name, """
                topology.from(Sources.generate(1_000_000_000_000L, i -> i).rate(1_000)).name("numbers")
                        .filter(i -> {
                            if (i % 100 == 7) throw new BadRecordException("<b>odd</b>", String.valueOf(i));
                            return true;
                        })
                        .shuffle()
                        .to(Sinks.discard());
                System.out.println("runs");
                """);
    }

    @AfterEach
    void end() {
        cli.destroy();
    }

    private static HttpResponse<String> get(URI uri) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(1)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The addresses that the first lines tell. */
    private static List<URI> told(BufferedReader error, int lines) throws Exception {
        List<URI> told = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            String line = error.readLine();
            assertThat(line).matches("thalweg: (health|web|metrics): http://127\\.0\\.0\\.1:\\d+/[a-z]*");
            told.add(URI.create(line.substring(line.indexOf("http"))));
        }
        return told;
    }

    /** Asks until the answer holds the text, which it does once the job has got so far. */
    private static String until(URI uri, String text) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        String body = get(uri).body();
        for (int asked = 0; !body.contains(text) && asked < MOST_ASKED; asked++) {
            assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
            body = get(uri).body();
        }
        assertThat(body).contains(text);
        return body;
    }

    @Test
    void shouldShowAJobWhileItRuns() throws Exception {
        Process job = cli.start("run", "--web", "Endless.java", "--parallelism", "2", "--guarantee", "acked");
        try (BufferedReader out = Cli.lines(job.getInputStream());
                BufferedReader error = Cli.lines(job.getErrorStream())) {
            URI page = told(error, 1).get(0);
            assertThat(out.readLine()).isEqualTo("runs");
            HttpResponse<String> html = get(page);
            assertThat(html.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
            assertThat(html.body()).startsWith("<!DOCTYPE html>");

            until(page.resolve("/api/plan"), "\"topology\":\"Endless\"");
            String state = until(page.resolve("/api/state?chain=0"), "<b>odd</b>");
            assertThat(state).contains("\"state\":\"RUNNING\"", "\"acks\":{", "\"tasks\":[{\"task\":\"numbers+");
            until(page.resolve("/api/state"), "\"columns\":[{\"number\":1,");
            assertThat(until(page.resolve("/api/state"), "\"bound\":{\"kind\":"))
                    .contains("\"findings\":[", "\"problem\":null");

            if (ListeningSocket.canBeListed()) {
                assertThat(ListeningSocket.of(job.toHandle())).singleElement().satisfies(socket -> {
                    assertThat(socket.port()).isEqualTo(page.getPort());
                    assertThat(socket.address().isLoopbackAddress()).isTrue();
                });
            }
            assertThat(cli.run("stop", "Endless").code()).isZero();
            assertThat(Cli.end(job)).isEqualTo(143);
        }
    }

    /** Where a page that gives orders is, with its token. */
    private static URI control(BufferedReader error) throws Exception {
        String line = error.readLine();
        assertThat(line).matches("thalweg: web: http://127\\.0\\.0\\.1:\\d+/#control=[A-Za-z0-9_-]{24}");
        return URI.create(line.substring(line.indexOf("http")));
    }

    private static HttpResponse<String> order(URI page, String order, String token) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(page.resolve("/api/" + order))
                        .timeout(Duration.ofMinutes(1))
                        .header("Thalweg-Control", token)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String token(URI page) {
        return page.getFragment().substring("control=".length());
    }

    @Test
    void shouldStopAJobFromItsPage() throws Exception {
        Process job = cli.start("run", "Endless.java", "--web", "--web-control");
        try (BufferedReader error = Cli.lines(job.getErrorStream())) {
            URI page = control(error);
            until(page.resolve("/api/plan"), "\"topology\":\"Endless\"");
            assertThat(order(page, "stop", "x" + token(page)).statusCode()).isEqualTo(401);
            order(page, "savepoint", token(page));
            until(
                    page.resolve("/api/state"),
                    "\"order\":{\"number\":1,\"text\":\"topology 'Endless' takes no checkpoints; start it with --guarantee"
                            + " exactly-once --checkpoint-dir DIR\",\"failed\":true}");
            assertThat(cli.run("status", "Endless").out()).contains("page ").doesNotContain("control=");

            HttpResponse<String> stop = order(page, "stop", token(page));

            assertThat(stop.statusCode()).isEqualTo(202);
            assertThat(stop.body()).isEqualTo("{\"said\":\"stopping\"}\n");
            assertThat(Cli.end(job)).isEqualTo(143);
            assertThat(error.lines()).contains("thalweg: stopping, as its page asked; a signal stops it at once");
        }
    }

    @Test
    void shouldTakeASavepointAndDrainAJobFromItsPage() throws Exception {
        Process job = cli.start(
                "run",
                "Endless.java",
                "--web",
                "--web-control",
                "--guarantee",
                "at-least-once",
                "--checkpoint-dir",
                "kept");
        try (BufferedReader error = Cli.lines(job.getErrorStream())) {
            URI page = control(error);
            until(page.resolve("/api/plan"), "\"topology\":\"Endless\"");
            assertThat(order(page, "savepoint", token(page)).statusCode()).isEqualTo(202);
            Matcher saved = Pattern.compile("\"text\":\"savepoint ([^\"]+)\"")
                    .matcher(until(page.resolve("/api/state"), "\"text\":\"savepoint "));
            assertThat(saved.find()).isTrue();
            assertThat(folder.resolve(saved.group(1))).isRegularFile();

            assertThat(order(page, "drain", token(page)).statusCode()).isEqualTo(202);
            assertThat(Cli.end(job)).isZero();
            assertThat(error.lines())
                    .contains("thalweg: draining, as its page asked: sources end, and windows are emitted");
        }
    }

    @Test
    void shouldGiveNoOrdersUnlessAskedTo() throws Exception {
        Process job = cli.start("run", "Endless.java", "--web");
        try (BufferedReader error = Cli.lines(job.getErrorStream())) {
            assertThat(order(told(error, 1).get(0), "stop", "x").statusCode()).isEqualTo(405);
        }
        Outcome alone = cli.run("run", "Short.java", "--web-control");
        assertThat(alone.code()).isEqualTo(2);
        assertThat(alone.error()).isEqualTo("thalweg: --web-control needs --web, whose page it is for\n");
        Outcome others = cli.run("run", "Short.java", "--web=0.0.0.0:8080", "--web-control");
        assertThat(others.code()).isEqualTo(2);
        assertThat(others.error())
                .isEqualTo(
                        "thalweg: --web-control is for a page on loopback, not on 0.0.0.0, because others could read the"
                                + " token on its way; use --web=8080, and a tunnel such as ssh -L\n");
        Outcome quiet = cli.run("run", "Short.java", "--web=0", "--web-control", "--quiet");
        assertThat(quiet.error()).matches("thalweg: web: http://127\\.0\\.0\\.1:\\d+/#control=[A-Za-z0-9_-]{24}\n");
    }

    @Test
    void shouldShowTwoJobsAtOnce() throws Exception {
        endless("Other");
        Process one = cli.start("run", "Endless.java", "--web");
        Process two = cli.start("run", "Other.java", "--web=0", "--quiet");
        try (BufferedReader first = Cli.lines(one.getErrorStream());
                BufferedReader second = Cli.lines(two.getErrorStream())) {
            until(told(first, 1).get(0).resolve("/api/plan"), "\"topology\":\"Endless\"");
            until(told(second, 1).get(0).resolve("/api/plan"), "\"topology\":\"Other\"");
        }
    }

    @Test
    void shouldShareAPort() throws Exception {
        String port = Integer.toString(FreePort.find());
        Process job =
                cli.start("run", "Endless.java", "--web=" + port, "--health", port, "--metrics=prometheus=" + port);
        try (BufferedReader error = Cli.lines(job.getErrorStream())) {
            List<URI> told = told(error, 3);
            assertThat(told.get(0)).isEqualTo(told.get(1).resolve("/health"));
            assertThat(told.get(2)).isEqualTo(told.get(1).resolve("/metrics"));
            until(told.get(2), "thalweg_records_bad_total{topology=\"Endless\"} ");
            until(told.get(2), "thalweg_latency_seconds_bucket{topology=\"Endless\",le=\"+Inf\"} ");
            until(told.get(0), "\"healthy\":true");
            assertThat(get(told.get(1)).body()).startsWith("<!DOCTYPE html>");
        }
    }

    /** A job waits only a moment for whoever shows its page, which may be over on a busy machine: then another one tells. */
    @Test
    void shouldTellAViewerHowTheJobEnded() throws Exception {
        cli.job("Failing", """
                topology.from(Sources.generate(1_000_000_000_000L, i -> i).rate(1_000))
                        .map(i -> {
                            if (java.nio.file.Files.exists(java.nio.file.Path.of("fail"))) {
                                throw new IllegalStateException("as it was told to");
                            }
                            return i;
                        })
                        .to(Sinks.discard());
                """);
        String state = "";
        for (int tries = 0; !state.contains("\"state\":\"FAILED\"") && tries < MOST_TRIES; tries++) {
            Process job = cli.start("run", "Failing.java", "--web");
            try (BufferedReader error = Cli.lines(job.getErrorStream())) {
                URI page = told(error, 1).get(0);
                until(page.resolve("/api/state"), "\"state\":\"RUNNING\"");
                Path fail = cli.write("fail", "");
                state = lastWord(page.resolve("/api/state"));
                assertThat(Cli.end(job)).isEqualTo(1);
                Files.delete(fail);
            }
        }
        assertThat(state).contains("\"state\":\"FAILED\"").containsPattern("\"in\":\\d+");
    }

    /** What is answered until nobody answers, or the job has failed. */
    private static String lastWord(URI uri) throws Exception {
        String body = "";
        try {
            while (!body.contains("\"state\":\"FAILED\"")) {
                body = get(uri).body();
            }
        } catch (IOException e) { // it has ended
            return body;
        }
        return body;
    }

    @Test
    void shouldTellThatAFailedJobStartsAgain() throws Exception {
        cli.job("Failing", """
                topology.from(Sources.generate(1_000, i -> i))
                        .map(i -> {
                            if (i == 500) throw new IllegalStateException("five hundred");
                            return i;
                        })
                        .to(Sinks.discard());
                """);
        Process job = cli.start(
                "run",
                "Failing.java",
                "--web",
                "--metrics",
                "prometheus=0",
                "--restart",
                "fixed:1:10m",
                "--guarantee",
                "at-least-once",
                "--checkpoint-dir",
                "kept");
        try (BufferedReader error = Cli.lines(job.getErrorStream())) {
            List<URI> told = told(error, 2);
            until(told.get(0).resolve("/api/state"), "\"state\":\"RESTARTING\"");
            assertThat(get(told.get(1)).body())
                    .contains(
                            "thalweg_job_state{topology=\"Failing\",state=\"FAILED\"} 0",
                            "thalweg_job_state{topology=\"Failing\",state=\"RESTARTING\"} 1");
        }
    }

    @Test
    void shouldDemandATokenThatIsGivenOnLoopbackToo() throws Exception {
        cli.withEnvironment("THALWEG_WEB_TOKEN", "sixteen-letters-0");
        Process job = cli.start("run", "Endless.java", "--web", "--health", "0");
        try (BufferedReader error = Cli.lines(job.getErrorStream())) {
            List<URI> told = told(error, 2);
            until(told.get(0), "\"state\":\"RUNNING\"");
            assertThat(get(told.get(1).resolve("/api/plan")).statusCode()).isEqualTo(401);
            assertThat(get(told.get(1).resolve("/api/plan?token=sixteen-letters-0"))
                            .statusCode())
                    .isEqualTo(200);
        }
        cli.withEnvironment("THALWEG_WEB_TOKEN", "short");
        Outcome web = cli.run("run", "Short.java", "--web");
        assertThat(web.code()).isEqualTo(2);
        assertThat(web.error()).hasLineCount(1).contains("THALWEG_WEB_TOKEN holds no token");
        Outcome health = cli.run("run", "Short.java", "--health", "0");
        assertThat(health.code()).as(health.error()).isZero();
    }

    @Test
    void shouldShowTheJobsOfThisMachineWithoutAHistoryToo() throws Exception {
        Process job = cli.start("run", "Endless.java", "--web");
        Process web = cli.start("web");
        try (BufferedReader ofJob = Cli.lines(job.getErrorStream());
                BufferedReader ofWeb = Cli.lines(web.getErrorStream())) {
            URI page = told(ofJob, 1).get(0);
            assertThat(ofWeb.readLine())
                    .startsWith("thalweg: past runs are not shown: they need thalweg-history on the class path");
            URI all = told(ofWeb, 1).get(0);
            assertThat(until(all.resolve("/api/jobs"), "\"web\":\"" + page + "\""))
                    .contains("\"id\":\"Endless-" + job.pid());
            if (ListeningSocket.canBeListed()) {
                assertThat(ListeningSocket.of(web.toHandle())).singleElement().satisfies(socket -> {
                    assertThat(socket.port()).isEqualTo(all.getPort());
                    assertThat(socket.address().isLoopbackAddress()).isTrue();
                });
            }
            assertThat(get(all.resolve("/api/runs")).body()).isEqualTo("{\"runs\":[],\"place\":\"\"}\n");
            assertThat(cli.run("status", "Endless").out()).contains("\npage        " + page + "\n");
        }
        web.destroy();
        assertThat(Cli.end(web)).isEqualTo(143);
        Outcome kept = cli.run("run", "Short.java", "--history");
        assertThat(kept.code()).isEqualTo(2);
        assertThat(kept.error())
                .isEqualTo("thalweg: --history needs thalweg-history and its dependencies on the class path;"
                        + " ./thalweg in a clone adds them\n");
        assertThat(cli.run("run", "Short.java", "--history=none").code()).isZero();
    }

    @Test
    void shouldSendMetricsAndSayWhenNobodyTakesThem() throws Exception {
        int port = FreePort.find();
        Outcome run = cli.run("run", "Short.java", "--metrics", "otlp=http://127.0.0.1:" + port, "--quiet");
        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.error())
                .hasLineCount(1)
                .startsWith("thalweg: metrics are not received by http://127.0.0.1:" + port + "/v1/metrics: ");
        Outcome none = cli.run("run", "Short.java", "--metrics", "otlp");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.error()).hasLineCount(1).contains("takes a URL, as in otlp=http://127.0.0.1:4318");
        Outcome twice = cli.run("run", "Short.java", "--metrics", "prometheus", "--metrics", "prometheus=0");
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.error()).hasLineCount(1).contains("--metrics prometheus is given twice");
    }

    @Test
    void shouldEndAtOnceIfNobodyLooks() throws Exception {
        Outcome run = cli.run("run", "Short.java", "--web", "--quiet");
        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out()).isEqualTo("0\n1\n2\n");
        assertThat(run.error()).matches("thalweg: web: http://127\\.0\\.0\\.1:\\d+/\n");
    }

    @Test
    void shouldSayInOneLineThatAPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Outcome run = cli.run("run", "Short.java", "--web=" + taken.getLocalPort());
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out()).isEmpty();
            assertThat(run.error())
                    .hasLineCount(1)
                    .startsWith("thalweg: --web " + taken.getLocalPort() + ": cannot listen on 127.0.0.1: ")
                    .endsWith("; give another port, or 0 for a free one\n");
        }
    }

    @Test
    void shouldRefuseWhatIsNoAddress() throws Exception {
        Outcome none = cli.run("run", "Short.java", "--web=here");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.error())
                .isEqualTo("thalweg: --web takes PORT or HOST:PORT, such as 8080 or 0.0.0.0:8080, not 'here'\n");
        Outcome twice = cli.run("run", "Short.java", "--web=0.0.0.0:8080", "--health", "8080");
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.error()).hasLineCount(1).contains("have the port 8080, but on different hosts");
        Outcome other = cli.run("run", "Short.java", "--metrics", "statsd");
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.error())
                .isEqualTo("thalweg: --metrics takes prometheus, prometheus=[HOST:]PORT or otlp=URL, not 'statsd'\n");
        Outcome port = cli.run("run", "Short.java", "--metrics", "prometheus=99999");
        assertThat(port.code()).isEqualTo(2);
        assertThat(port.error()).hasLineCount(1).contains("a port from 0 to 65535, not 99999");
        Outcome folder = cli.run("run", "Short.java", "--history=.");
        assertThat(folder.code()).isEqualTo(2);
        assertThat(folder.error()).isEqualTo("thalweg: --history takes a file, not the folder .\n");
        Outcome repeated = cli.run("run", "Short.java", "--web", "--web=8080");
        assertThat(repeated.code()).isEqualTo(2);
        assertThat(repeated.error()).hasLineCount(1).contains("--web");
        cli.write("seen.json", "{}");
        Outcome observation = cli.run("doctor", "seen.json", "--web");
        assertThat(observation.code()).isEqualTo(2);
        assertThat(observation.error()).isEqualTo("thalweg: --web is for a job, and seen.json is an observation\n");
        Outcome unknown = cli.run("run", "Short.java", "--web=no-such-host.invalid:0");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.error()).isEqualTo("thalweg: --web: this machine knows no host no-such-host.invalid\n");
    }
}
