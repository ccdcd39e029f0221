// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thalweg.lab.result.ResultFiles;
import io.thalweg.lab.result.Results;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;

/**
 * Results as JSON for a page: what ResultFiles writes, but the seconds of a run as one column for each figure, to six digits.
 * That is a fifth of the size; the page turns it back for whoever downloads it.
 */
final class EmbeddedResults {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final MathContext DIGITS = new MathContext(6);

    private EmbeddedResults() {}

    /** Holds no {@code <}, so nothing in it can end the script element it stands in. */
    static String of(Results results) {
        try {
            JsonNode all = MAPPER.readTree(ResultFiles.toJson(results));
            for (JsonNode cell : all.path("cells")) {
                for (JsonNode run : cell.path("runs")) {
                    ((ObjectNode) run).set("series", columns(run.path("series")));
                }
            }
            return MAPPER.writeValueAsString(all).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode columns(JsonNode seconds) {
        ObjectNode columns = MAPPER.createObjectNode();
        columns.putArray("t");
        columns.putArray("measured");
        for (JsonNode second : seconds) {
            for (Map.Entry<String, JsonNode> figure : second.properties()) {
                columns.withArrayProperty(figure.getKey()).add(rounded(figure.getValue()));
            }
        }
        return columns;
    }

    private static JsonNode rounded(JsonNode value) {
        if (!value.isDouble() || !Double.isFinite(value.doubleValue())) {
            return value;
        }
        double number = value.doubleValue();
        if (number == Math.rint(number) && Math.abs(number) < 1e6) {
            return LongNode.valueOf((long) number);
        }
        return DecimalNode.valueOf(new BigDecimal(number).round(DIGITS).stripTrailingZeros());
    }
}
