// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.HotSpot;
import io.thalweg.doctor.observation.OperatorProfile;
import java.util.ArrayList;
import java.util.List;

/** An operator of the user takes text apart with tools that are slow for what a declared record would read. */
final class ParsingRule implements Rule {
    /**
     * Regular expressions, format patterns and JSON trees: what the readers of declared records replace. Not
     * constructors of numbers such as BigDecimal, which those need too.
     */
    private static final List<String> SLOW = List.of(
            "String.split",
            "String.replaceAll",
            "String.replaceFirst",
            "String.matches",
            "String.format",
            "Pattern.",
            "Matcher.",
            "Scanner.",
            "SimpleDateFormat.",
            "DateFormat.",
            "DateTimeFormatter.",
            "LocalDate.parse",
            "LocalDateTime.parse",
            "ZonedDateTime.parse",
            "Instant.parse",
            "Double.parseDouble",
            "Float.parseFloat",
            "ObjectMapper.",
            "ObjectReader.",
            "JsonNode.",
            "Gson.",
            "JSONObject.",
            "JSONArray.");

    /** Of all samples: less is not worth a change. */
    private static final double MIN_SHARE = 0.25;

    /** The generated readers against these: an estimate. */
    private static final double SPEED_UP = 3;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (OperatorProfile operator : facts.observation().operators()) {
            List<HotSpot> slow = operator.hot().stream()
                    .filter(spot -> !spot.method().isEmpty() && SLOW.stream().anyMatch(spot.call()::startsWith))
                    .toList();
            long samples = slow.stream().mapToLong(HotSpot::samples).sum();
            double share = (double) samples / Math.max(1, facts.allSamples());
            if (share < MIN_SHARE || facts.busyWorkers() < Facts.SATURATED) {
                continue;
            }
            HotSpot worst = slow.get(0);
            Findings finding =
                    Findings.of("parsing").operator(operator.operator()).share("of all samples in reading text", share);
            slow.forEach(spot -> finding.share("in " + spot.call(), (double) spot.samples() / facts.allSamples()));
            found.addAll(finding.why(worst.method() + " (" + worst.line() + ") takes text apart with " + worst.call())
                    .remedy(
                            "declare the fields as a record and let Csv.read, JsonLines.read or a topic's format read them")
                    .throughput(
                            1 / (1 - Math.min(0.95, share) * (1 - 1 / SPEED_UP)),
                            "reading the same fields from a declared record is as slow"));
        }
        return found;
    }
}
