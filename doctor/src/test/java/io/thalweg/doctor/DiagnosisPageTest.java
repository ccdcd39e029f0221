// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.observation.ConsumerGroup;
import io.thalweg.doctor.observation.GroupLook;
import io.thalweg.doctor.observation.GroupMember;
import io.thalweg.doctor.observation.GroupPartition;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.whatif.Changes;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DiagnosisPageTest {
    private static final Pattern TAG = Pattern.compile("<(/?)([a-zA-Z0-9]+)[^>]*?(/?)>");
    private static final Set<String> VOID = Set.of("meta");
    private static final Set<String> KNOWN = Set.of(
            "html",
            "head",
            "meta",
            "title",
            "style",
            "body",
            "h1",
            "h2",
            "h3",
            "p",
            "section",
            "dl",
            "dt",
            "dd",
            "div",
            "table",
            "tr",
            "th",
            "td",
            "svg",
            "line",
            "polyline",
            "text");

    private static Observation recorded(String name) throws Exception {
        try (InputStream in = DiagnosisPageTest.class.getResourceAsStream(name + ".json")) {
            return ObservationFile.read(Objects.requireNonNull(in, name).readAllBytes());
        }
    }

    /** No other elements than ours, each of them closed, and nothing that leads outside. */
    private static void check(String page) {
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = TAG.matcher(page);
        while (tag.find()) {
            String name = tag.group(2);
            assertThat(KNOWN).contains(name);
            if (!tag.group(1).isEmpty()) {
                assertThat(open.pop()).isEqualTo(name);
            } else if (tag.group(3).isEmpty() && !VOID.contains(name)) {
                open.push(name);
            }
        }
        assertThat(open).isEmpty();
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains("default-src 'none'")
                .doesNotContain("<script", "http://", "https://", "url(", "src=", "href=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"corpus/slow-operator", "corpus/healthy-paced", "corpus/restarts", "flink/skewed-keys"})
    void shouldShowAJob(String name) throws Exception {
        Diagnosis diagnosis = Doctor.diagnose(recorded(name), Changes.parse("cores=4"));
        String page = DiagnosisPage.of(diagnosis);

        check(page);
        assertThat(page).contains("<h2>What if</h2>", "<svg ", "<h2>Operators</h2>");
        diagnosis.findings().forEach(finding -> assertThat(page).contains("<h3>1. ", finding.rule()));
    }

    @Test
    void shouldShowKeysWhereTheyWereLookedAt() throws Exception {
        String page = DiagnosisPage.of(Doctor.diagnose(recorded("corpus/hot-key")));

        check(page);
        assertThat(page).contains("<h2>Keys</h2>", "<tr><td>source</td><td>score</td><td>80 %</td><td>1</td>");
        assertThat(DiagnosisPage.of(Doctor.diagnose(recorded("corpus/skewed-keys"))))
                .doesNotContain("<h2>Keys</h2>");
    }

    @Test
    void shouldShowWhatLatencyConsistsOf() throws Exception {
        Diagnosis diagnosis = Doctor.diagnose(recorded("latency/slow-operator"));
        String page = DiagnosisPage.of(diagnosis);

        check(page);
        assertThat(page)
                .contains(
                        "<h2>Latency</h2>",
                        "<tr><td>score+sink</td><td>queue</td><td>287,475.46</td>",
                        "<td>rest</td>",
                        "the parts explain what was measured");
        assertThat(DiagnosisText.of(diagnosis)).endsWith("""
                  latency 293.9 ms measured, the mean; its parts on the slowest way add up to 296.8 ms
                     source: source wait 0.0 us, service 0.2 us, batching 77 us
                     score+sink: queue 287.5 ms, service 18 us, batching 9.2 ms
                     rest      -2.9 ms, the parts explain what was measured
                """);
    }

    @Test
    void shouldShowNamesAsTextWhateverTheyContain() throws Exception {
        String evil = "<script>alert(1)</script>&\\\"'\\u0007\\u202e";
        String text = RecordJson.text(recorded("corpus/slow-operator"))
                .replace("\"score\"", "\"" + evil + "\"")
                .replace("\"SlowOperator\"", "\"</title>" + evil + "\"");

        String page = DiagnosisPage.of(Doctor.diagnose(ObservationFile.read(text.getBytes(StandardCharsets.UTF_8))));

        check(page);
        assertThat(page).contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;\uFFFD\uFFFD");
    }

    @Test
    void shouldShowAGroup() {
        Observation group = Observation.of(new ConsumerGroup(
                "billing<b>",
                "Stable",
                null,
                List.of(new GroupMember("a-1", "a", "/10.0.0.1", 1)),
                List.of(new GroupPartition("orders", 0, "a-1", 7L, 7L, 0, 9, 1_009)),
                List.of(
                        new GroupLook(0, "Stable", 1, 2, 0, 0),
                        new GroupLook(20_000_000_000L, "Stable", 1, 1_002, 1_000, 0)),
                0));

        String page = DiagnosisPage.of(Doctor.diagnose(group));

        check(page);
        assertThat(page).contains("billing&lt;b&gt;", "orders-0", "no-commits", "<h2>Lag in records</h2>");
    }
}
