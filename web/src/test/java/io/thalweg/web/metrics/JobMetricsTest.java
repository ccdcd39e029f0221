// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.thalweg.api.stats.JobState;
import io.thalweg.web.SampleJob;
import io.thalweg.web.server.ListenAddress;
import io.thalweg.web.server.WebServer;
import io.thalweg.web.watch.JobWatch;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class JobMetricsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final String LABELS = "(?:[a-z_]+=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)*";
    private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)\\{(" + LABELS + ")} (-?[0-9.]+(?:E-?[0-9]+)?)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final String text = JobMetrics.text(SampleJob.after(60, "embedded", JobState.RUNNING, 2));

    private double value(String sample) {
        return text.lines()
                .filter(line -> line.startsWith(sample + " "))
                .map(line -> Double.valueOf(line.substring(sample.length() + 1)))
                .findAny()
                .orElseThrow(() -> new AssertionError(sample + " is not in\n" + text));
    }

    @Test
    void shouldKeepToTheFormat() {
        Set<String> typed = new HashSet<>();
        Set<String> samples = new HashSet<>();
        String help = "";
        String name = "";
        String type = "";
        for (String line : text.split("\n")) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                help = words[2];
                assertThat(words[3]).isNotBlank();
            } else if (line.startsWith("# TYPE ")) {
                name = words[2];
                type = words[3];
                assertThat(name).isEqualTo(help);
                assertThat(typed.add(name)).as("only one TYPE of %s", name).isTrue();
                assertThat(type).isIn("counter", "gauge", "histogram");
                assertThat(name.endsWith("_total")).as("%s is a counter", name).isEqualTo(type.equals("counter"));
            } else {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(samples.add(sample.group(1) + "{" + sample.group(2)))
                        .as("only one %s", line)
                        .isTrue();
                assertThat(sample.group(1)).matches(name + (type.equals("histogram") ? "_(bucket|sum|count)" : ""));
            }
        }
        assertThat(text).endsWith("\n");
    }

    @Test
    void shouldTellAllMetricsWithTheirLabels() {
        Map<String, Set<String>> labels = new TreeMap<>();
        for (MatchResult sample : SAMPLE.matcher(text).results().toList()) {
            labels.computeIfAbsent(sample.group(1), any -> new TreeSet<>())
                    .addAll(LABEL.matcher(sample.group(2))
                            .results()
                            .map(label -> label.group(1))
                            .toList());
        }
        for (Metric metric : Metric.values()) {
            if (metric != Metric.ACKS_LATENCY) { // of which the sample has none
                Set<String> expected = new TreeSet<>(metric.labels());
                expected.add("topology");
                if (metric.type() == Metric.Type.HISTOGRAM) {
                    expected.add("le");
                    assertThat(labels.get(metric.text() + "_bucket")).isEqualTo(expected);
                } else {
                    assertThat(labels.get(metric.text())).as(metric.text()).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void shouldTellWhatWasMeasured() {
        assertThat(value("thalweg_records_in_total{topology=\"Rivers\"}")).isEqualTo(60_000);
        assertThat(value("thalweg_job_restarts_total{topology=\"Rivers\"}")).isEqualTo(2);
        assertThat(value("thalweg_job_state{topology=\"Rivers\",state=\"RUNNING\"}"))
                .isEqualTo(1);
        assertThat(value("thalweg_job_state{topology=\"Rivers\",state=\"FAILED\"}"))
                .isZero();
        assertThat(
                        value(
                                "thalweg_task_seconds_total{topology=\"Rivers\",chain=\"count+store\",task=\"1\",time=\"busy\"}"))
                .isEqualTo(54);
        assertThat(value("thalweg_checkpoint_timestamp_seconds{topology=\"Rivers\"}"))
                .isEqualTo(1_060.040);
        assertThat(value("thalweg_acks_total{topology=\"Rivers\",outcome=\"timed_out\"}"))
                .isEqualTo(2);
    }

    @Test
    void shouldNotTakeAJobForFailedThatStartsAgain() {
        assertThat(JobMetrics.text(SampleJob.failedForNow(60)))
                .contains("state=\"RESTARTING\"} 1\n", "state=\"FAILED\"} 0\n");
        assertThat(JobMetrics.text(SampleJob.after(60, "embedded", JobState.FAILED, 0)))
                .contains("state=\"RESTARTING\"} 0\n", "state=\"FAILED\"} 1\n");
    }

    @Test
    void shouldTellAHistogramThatRises() {
        String bucket = "thalweg_latency_seconds_bucket{topology=\"Rivers\",le=\"";
        List<Double> counts = List.of(
                value(bucket + "1.5E-5\"}"),
                value(bucket + "2.3E-5\"}"),
                value(bucket + "3.1E-5\"}"),
                value(bucket + "+Inf\"}"));
        assertThat(counts)
                .containsExactly(15_000.0, 30_000.0, 59_999.0, 60_000.0)
                .isSorted();
        assertThat(value("thalweg_latency_seconds_count{topology=\"Rivers\"}")).isEqualTo(60_000);
        assertThat(value("thalweg_latency_seconds_sum{topology=\"Rivers\"}")).isEqualTo(1.2);
    }

    @Test
    void shouldLeaveOutWhatTheEngineDoesNotTell() {
        assertThat(JobMetrics.text(SampleJob.after(60, "Flink 2.3.0", JobState.RUNNING, 0)))
                .contains("thalweg_task_records_in_total{")
                .doesNotContain("queue_batches", "longest_call", "slow_calls", "windows_open", "restarts");
        assertThat(JobMetrics.text(SampleJob.after(60, "Storm", JobState.RUNNING, 0)))
                .contains("longest_call")
                .doesNotContain("queue_batches");
    }

    @Test
    void shouldEscapeLabels() {
        assertThat(text)
                .contains("chain=\"levels+<img src=x onerror=alert(1)> \\\"'&\\\\\",task=\"0\"")
                .contains("system=\"the service <img");
        Exposition exposition = new Exposition("a\"b\\c\nd");
        exposition.add(Metric.PROCESS_THREADS, 1);
        assertThat(exposition.text()).endsWith("thalweg_process_threads{topology=\"a\\\"b\\\\c\\nd\"} 1\n");
        assertThatIllegalArgumentException().isThrownBy(() -> exposition.add(Metric.TASK_LAG, 1, "chain"));
    }

    @Test
    void shouldServeThem() throws Exception {
        JobWatch watch = new JobWatch();
        try (WebServer server = WebServer.open(ListenAddress.local("--metrics", 0), null)) {
            JobMetrics.on(server, watch);
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.address("/metrics")))
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("# the job has not started yet\n");
            watch.look(SampleJob.after(60, "embedded", JobState.RUNNING, 2));
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo(text);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
        }
    }

    @Test
    void shouldBeDocumentedInOneTable() throws Exception {
        Pattern row = Pattern.compile("(?m)^\\| `(thalweg_[a-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\|");
        List<String> documented = row.matcher(Files.readString(DOCS.resolve("guide/prometheus.md")))
                .results()
                .map(each -> each.group(1) + " " + each.group(2) + " "
                        + each.group(3).replace("`", "").strip())
                .toList();
        assertThat(documented)
                .containsExactlyElementsOf(Arrays.stream(Metric.values())
                        .map(metric -> metric.text() + " "
                                + metric.type().name().toLowerCase(Locale.ROOT) + " "
                                + (metric.labels().isEmpty() ? "–" : String.join(", ", metric.labels())))
                        .toList());
    }

    /** Names and labels in the queries and the legends of the dashboard. */
    @Test
    void shouldBeWhatTheDashboardAsksFor() throws Exception {
        Map<String, Metric> known = new TreeMap<>();
        for (Metric metric : Metric.values()) {
            if (metric.type() == Metric.Type.HISTOGRAM) {
                for (String suffix : List.of("_bucket", "_sum", "_count")) {
                    known.put(metric.text() + suffix, metric);
                }
            } else {
                known.put(metric.text(), metric);
            }
        }
        int queries = 0;
        for (Map<String, String> target : targets(DOCS.resolve("grafana/thalweg.json"))) {
            String query = target.getOrDefault("expr", "");
            Set<String> labels = new HashSet<>(Set.of("topology", "le"));
            for (MatchResult name :
                    Pattern.compile("thalweg_[a-z_]+").matcher(query).results().toList()) {
                assertThat(known).as(query).containsKey(name.group());
                labels.addAll(known.get(name.group()).labels());
                queries++;
            }
            Set<String> used = Pattern.compile("\\{\\{(\\w+)}}")
                    .matcher(target.getOrDefault("legendFormat", ""))
                    .results()
                    .map(label -> label.group(1))
                    .collect(Collectors.toSet());
            for (MatchResult by :
                    Pattern.compile("by \\(([^)]*)\\)").matcher(query).results().toList()) {
                used.addAll(Arrays.asList(by.group(1).split(", ")));
            }
            assertThat(labels).as(query).containsAll(used);
            assertThat(query)
                    .as("parentheses are closed")
                    .satisfies(each -> assertThat(
                                    each.chars().filter(c -> c == '(').count())
                            .isEqualTo(each.chars().filter(c -> c == ')').count()));
        }
        assertThat(queries).isGreaterThan(20);
    }

    /** The text fields of each object that has an {@code expr}. */
    private static List<Map<String, String>> targets(Path dashboard) throws Exception {
        List<Map<String, String>> targets = new ArrayList<>();
        List<Map<String, String>> open = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(dashboard.toFile())) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    open.add(new TreeMap<>());
                } else if (token == JsonToken.END_OBJECT) {
                    Map<String, String> closed = open.remove(open.size() - 1);
                    if (closed.containsKey("expr")) {
                        targets.add(closed);
                    }
                } else if (token == JsonToken.VALUE_STRING && json.currentName() != null) {
                    open.get(open.size() - 1).put(json.currentName(), json.getText());
                }
            }
        }
        return targets;
    }
}
