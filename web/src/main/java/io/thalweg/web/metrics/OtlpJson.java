// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.metrics;

import com.fasterxml.jackson.core.JsonGenerator;
import io.thalweg.web.page.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Metrics of one job as a request of OpenTelemetry's protocol (OTLP 1), in JSON. Names and labels are those for Prometheus. Counters and
 * histograms are totals since the job was last started, so a request that is lost loses nothing.
 */
final class OtlpJson implements Samples {
    private static final int CUMULATIVE = 2;
    private static final long NS_PER_MS = 1_000_000;

    private final String topology;
    private final String run;
    private final long startedMs;
    private final long nowMs;
    private final Map<Metric, List<Json.Fields>> points = new EnumMap<>(Metric.class);

    /**
     * @param run of this run alone
     * @param startedMs when the job was last started, in epoch milliseconds; the same for each request until it is started anew
     */
    OtlpJson(String topology, String run, long startedMs, long nowMs) {
        this.topology = topology;
        this.run = run;
        this.startedMs = startedMs;
        this.nowMs = nowMs;
    }

    @Override
    public void add(Metric metric, double value, String... labels) {
        add(metric, json -> {
            common(json, metric, labels);
            json.writeNumberField("asDouble", value);
        });
    }

    @Override
    public void add(Metric metric, long value, String... labels) {
        add(metric, json -> {
            common(json, metric, labels);
            json.writeStringField("asInt", Long.toString(value)); // as JSON writes 64 bits of Protobuf
        });
    }

    @Override
    public void addHistogram(Metric metric, List<Double> upTo, List<Long> counts, long total, double sum) {
        add(metric, json -> {
            common(json, metric);
            json.writeStringField("count", Long.toString(total));
            json.writeNumberField("sum", sum);
            json.writeArrayFieldStart("bucketCounts");
            long below = 0;
            for (long count : counts) {
                json.writeString(Long.toString(count - below));
                below = count;
            }
            json.writeString(Long.toString(total - below));
            json.writeEndArray();
            json.writeArrayFieldStart("explicitBounds");
            for (double bound : upTo) {
                json.writeNumber(bound);
            }
            json.writeEndArray();
        });
    }

    private void add(Metric metric, Json.Fields point) {
        points.computeIfAbsent(metric, any -> new ArrayList<>()).add(point);
    }

    private void common(JsonGenerator json, Metric metric, String... labels) throws IOException {
        json.writeArrayFieldStart("attributes");
        attribute(json, "topology", topology);
        for (int i = 0; i < labels.length; i++) {
            attribute(json, metric.labels().get(i), labels[i]);
        }
        json.writeEndArray();
        if (metric.type() != Metric.Type.GAUGE) {
            json.writeStringField("startTimeUnixNano", Long.toString(startedMs * NS_PER_MS));
        }
        json.writeStringField("timeUnixNano", Long.toString(nowMs * NS_PER_MS));
    }

    private static void attribute(JsonGenerator json, String key, String value) throws IOException {
        json.writeStartObject();
        json.writeStringField("key", key);
        json.writeObjectFieldStart("value");
        json.writeStringField("stringValue", value);
        json.writeEndObject();
        json.writeEndObject();
    }

    String text() {
        return Json.object(json -> {
            json.writeArrayFieldStart("resourceMetrics");
            json.writeStartObject();
            json.writeObjectFieldStart("resource");
            json.writeArrayFieldStart("attributes");
            attribute(json, "service.name", topology);
            attribute(json, "service.instance.id", run);
            json.writeEndArray();
            json.writeEndObject();
            json.writeArrayFieldStart("scopeMetrics");
            json.writeStartObject();
            json.writeObjectFieldStart("scope");
            json.writeStringField("name", "thalweg");
            json.writeEndObject();
            json.writeArrayFieldStart("metrics");
            for (Map.Entry<Metric, List<Json.Fields>> metric : points.entrySet()) {
                metric(json, metric.getKey(), metric.getValue());
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
        });
    }

    private static void metric(JsonGenerator json, Metric metric, List<Json.Fields> points) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", metric.text());
        json.writeStringField("description", metric.help());
        json.writeObjectFieldStart(
                switch (metric.type()) {
                    case GAUGE -> "gauge";
                    case COUNTER -> "sum";
                    case HISTOGRAM -> "histogram";
                });
        if (metric.type() != Metric.Type.GAUGE) {
            json.writeNumberField("aggregationTemporality", CUMULATIVE);
        }
        if (metric.type() == Metric.Type.COUNTER) {
            json.writeBooleanField("isMonotonic", true);
        }
        json.writeArrayFieldStart("dataPoints");
        for (Json.Fields point : points) {
            json.writeStartObject();
            point.write(json);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }
}
