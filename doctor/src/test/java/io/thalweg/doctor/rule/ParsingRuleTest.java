// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.HotSpot;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of 100 samples each, taken while two workers are busy. */
final class ParsingRuleTest {
    private static HotSpot in(String method, String call, long samples) {
        return new HotSpot("Flatten." + method, "Flatten.java:" + method.length(), call, samples);
    }

    /** What is left of the samples is somewhere else. */
    private static List<Finding> found(HotSpot... flatten) {
        long left = 100;
        for (HotSpot spot : flatten) {
            left -= spot.samples();
        }
        MadeUpJob job = new MadeUpJob()
                .operator("lines", "source", "", false)
                .operator("flatten", "map", "", false)
                .chain(2, "lines", "flatten")
                .task(100_000, 0.99, 0, 0)
                .task(100_000, 0.99, 0, 0)
                .hot("lines", new HotSpot("LineReader.poll", "", "", left))
                .hot("flatten", flatten);
        return new ParsingRule().findings(job.facts());
    }

    private static double figure(Finding finding, String begin) {
        return finding.evidence().stream()
                .filter(each -> each.name().startsWith(begin))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElseThrow(() -> new AssertionError(finding.evidence().toString()));
    }

    /** As before there were trees: the reader takes a third of what the call takes. */
    @Test
    void shouldPredictFromTheReadingAloneWhereThereIsNoTree() {
        assertThat(found(in("total", "String.split", 60), in("total", "", 20)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.why())
                            .isEqualTo("Flatten.total (Flatten.java:5) takes text apart with String.split");
                    assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(1 / (1 - 0.6 * 2 / 3)));
                    assertThat(finding.evidence()).hasSize(2);
                });
        assertThat(found(in("total", "String.split", 24), in("total", "", 70))).isEmpty();
    }

    /** What is taken out of the tree goes; what else is done there may go, and is counted for the most alone. */
    @Test
    void shouldCountTheWalkThroughTheTree() {
        List<Finding> found = found(
                in("flat", "ObjectMapper.readTree", 60),
                in("collect", "IntNode.asText", 6),
                in("collect", "HashMap.put", 9),
                in("collect", "ObjectNode.properties", 4),
                in("collect", "", 3),
                in("sum", "HashMap.get", 8));

        assertThat(found).singleElement().satisfies(finding -> {
            assertThat(finding.operator()).isEqualTo("flatten");
            assertThat(finding.why()).contains("Flatten.flat", "takes text apart with ObjectMapper.readTree");
            assertThat(figure(finding, "of all samples in reading text")).isEqualTo(60);
            assertThat(figure(finding, "in taking values out of the tree")).isEqualTo(10);
            assertThat(figure(finding, "in the rest of these methods")).isEqualTo(12);
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(1 / (1 - 0.5), 1 / (1 - 0.62)));
            assertThat(finding.severity()).isEqualTo(0.5, within(0.001));
        });
    }

    @Test
    void shouldNameTheWalkWhereTheTreeCameFromElsewhere() {
        assertThat(found(in("total", "ObjectNode.path", 20), in("total", "LongNode.asLong", 5), in("total", "", 70)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.why()).endsWith("takes values out of a tree with ObjectNode.path");
                    assertThat(finding.evidence()).hasSize(2);
                    assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(1 / 0.75, 1 / (1 - 0.5)));
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ObjectNode.get",
                "ArrayNode.elements",
                "TextNode.asText",
                "StringNode.asString",
                "DoubleNode.doubleValue",
                "JsonNode.isObject",
                "JsonObject.getAsJsonObject",
                "JsonPrimitive.getAsLong",
                "JSONObject.optString"
            })
    void shouldKnowWhatIsAskedOfATree(String call) {
        assertThat(found(in("total", call, 25))).hasSize(1);
        assertThat(found(in("total", call, 24))).isEmpty();
    }

    /** Making trees and printing them is no reading. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ObjectNode.put",
                "ObjectNode.set",
                "ArrayNode.add",
                "JsonObject.addProperty",
                "JSONObject.toString",
                "JSONObject.put",
                "HashMap.get",
                "Fields.get",
                "TreeNode.getValue"
            })
    void shouldLeaveAloneWhatIsNoReading(String call) {
        assertThat(found(in("total", call, 95))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"JSONObject.<init>", "JSONObject.parseObject", "JSONArray.parseArray", "Gson.fromJson"})
    void shouldCountParsersOfTreesAsReading(String call) {
        assertThat(found(in("total", call, 60)))
                .singleElement()
                .satisfies(finding -> assertThat(figure(finding, "of all samples in reading text"))
                        .isEqualTo(60));
    }
}
