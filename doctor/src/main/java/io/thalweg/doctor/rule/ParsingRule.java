// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.HotSpot;
import io.thalweg.doctor.observation.OperatorProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** An operator of the user takes text apart, or a tree of it, with tools that are slow for what a declared record would read. */
final class ParsingRule implements Rule {
    /**
     * Regular expressions, format patterns and parsers of JSON: what the readers of declared records replace. Not
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
            "Gson.",
            "JSONObject.<init>",
            "JSONObject.parse",
            "JSONArray.<init>",
            "JSONArray.parse");

    /** Nodes of the trees of Jackson, Gson, org.json and fastjson, under the names of the classes that are called. */
    private static final Set<String> NODES = Set.of(
            "JsonNode",
            "BaseJsonNode",
            "ContainerNode",
            "ObjectNode",
            "ArrayNode",
            "ValueNode",
            "TextNode",
            "StringNode",
            "NumericNode",
            "ShortNode",
            "IntNode",
            "LongNode",
            "BigIntegerNode",
            "FloatNode",
            "DoubleNode",
            "DecimalNode",
            "BooleanNode",
            "NullNode",
            "MissingNode",
            "JsonElement",
            "JsonObject",
            "JsonArray",
            "JsonPrimitive",
            "JSONObject",
            "JSONArray");

    /** What a node is asked, rather than what is put into it or printed of it. */
    private static final Pattern ASKED = Pattern.compile(
            "(as|at|can|contains|elements|entries|entry|field|find|get|has|is|iterator|key|opt|path|propert|require|size|values).*|.*Value");

    /** Of all samples: less is not worth a change. */
    private static final double MIN_SHARE = 0.25;

    /** The generated readers against these: an estimate. */
    private static final double SPEED_UP = 3;

    /** More is not predicted. */
    private static final double MOST_SAVED = 0.95;

    /** Whether a call takes a value out of a tree. */
    private static boolean isWalk(String call) {
        int method = call.lastIndexOf('.') + 1;
        return method > 0
                && NODES.contains(call.substring(0, method - 1))
                && ASKED.matcher(call.substring(method)).matches();
    }

    private static boolean isSlow(String call) {
        return SLOW.stream().anyMatch(call::startsWith);
    }

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (OperatorProfile operator : facts.judged()) {
            List<HotSpot> own = operator.hot().stream()
                    .filter(spot -> !spot.method().isEmpty())
                    .toList();
            List<HotSpot> slow =
                    own.stream().filter(spot -> isSlow(spot.call())).toList();
            List<HotSpot> walks =
                    own.stream().filter(spot -> isWalk(spot.call())).toList();
            double reading = share(slow, facts);
            double walking = share(walks, facts);
            if (reading + walking >= MIN_SHARE && facts.busyWorkers() >= Facts.SATURATED) {
                found.addAll(finding(operator.operator(), own, slow, walks, facts));
            }
        }
        return found;
    }

    private static double share(List<HotSpot> spots, Facts facts) {
        return (double) spots.stream().mapToLong(HotSpot::samples).sum() / Math.max(1, facts.allSamples());
    }

    private static List<Finding> finding(
            String operator, List<HotSpot> own, List<HotSpot> slow, List<HotSpot> walks, Facts facts) {
        double reading = share(slow, facts);
        double walking = share(walks, facts);
        HotSpot worst = slow.isEmpty() ? walks.get(0) : slow.get(0);
        Findings finding = Findings.of("parsing")
                .operator(operator)
                .why(worst.method() + " (" + worst.line() + ") takes "
                        + (slow.isEmpty() ? "values out of a tree with " : "text apart with ") + worst.call())
                .remedy(
                        "declare the fields as a record and let Csv.read, JsonLines.read or a topic's format read them");
        if (!slow.isEmpty()) {
            finding.share("of all samples in reading text", reading);
            slow.forEach(spot -> finding.share("in " + spot.call(), share(List.of(spot), facts)));
        }
        double least = reading * (1 - 1 / SPEED_UP) + walking;
        double most = least;
        if (!walks.isEmpty()) {
            finding.share("in taking values out of the tree, which a record has as fields", walking);
            double around = share(around(own, slow, walks), facts);
            finding.share("in the rest of these methods, some of which may go, too", around);
            most += Math.min(around, reading + walking); // where it is more, most of it is the work itself
        }
        return finding.throughput(
                factor(least), factor(most), "reading the same fields from a declared record is as slow");
    }

    private static double factor(double saved) {
        return 1 / (1 - Math.min(MOST_SAVED, saved));
    }

    /** What else is done in the methods that take values out of a tree: put into a map, say, which is for the tree, or work that stays. */
    private static List<HotSpot> around(List<HotSpot> own, List<HotSpot> slow, List<HotSpot> walks) {
        Set<String> methods = walks.stream().map(HotSpot::method).collect(Collectors.toSet());
        return own.stream()
                .filter(spot -> methods.contains(spot.method()) && !slow.contains(spot) && !walks.contains(spot))
                .toList();
    }
}
