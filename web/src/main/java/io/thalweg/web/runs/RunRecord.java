// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.runs;

import com.fasterxml.jackson.core.JsonGenerator;
import io.thalweg.api.stats.BadReason;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.web.page.Json;
import io.thalweg.web.page.PlanJson;
import io.thalweg.web.watch.JobSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is to be kept of one run: its summary and its details, as JSON. For one thread. */
public final class RunRecord {
    /** Of the course of the run: when there are more points, every second one goes. */
    static final int MOST_POINTS = 240;

    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_SECOND = 1e9;

    private final Run run;
    private final List<Point> points = new ArrayList<>();
    private long looksPerPoint = 1;
    private long looks;
    private long earlierMs;
    private @Nullable JobSample last;

    /**
     * What is known of a run before it starts.
     *
     * @param id of this run alone
     * @param job the file or archive that was run
     * @param on where it runs
     * @param version of Thalweg
     * @param startedMs in epoch milliseconds
     * @param settings of the job, by name
     * @param options of the command line, by name
     */
    public record Run(
            String id,
            String job,
            String on,
            String version,
            long startedMs,
            Map<String, String> settings,
            Map<String, String> options) {}

    /** Totals at one moment since the run started. */
    private record Point(long ms, long in, long out) {}

    /** Of a run that has not been looked at yet. */
    public RunRecord(Run run) {
        this.run = run;
    }

    /** Takes what was measured until now. */
    public void look(JobSample now) {
        JobSample before = last;
        if (before != null && now.startedAfter(before)) {
            earlierMs = elapsedMs(before); // totals begin anew, and so do the points
            points.clear();
        }
        last = now;
        if (looks++ % looksPerPoint == 0 || now.over()) {
            points.add(new Point(
                    elapsedMs(now), now.stats().recordsIn(), now.stats().recordsOut()));
        }
        if (points.size() > MOST_POINTS) {
            for (int i = points.size() - 2; i > 0; i -= 2) {
                points.remove(i);
            }
            looksPerPoint *= 2;
        }
    }

    private long elapsedMs(JobSample look) {
        return earlierMs + Math.round(look.stats().elapsedNs() / NS_PER_MS);
    }

    /** For a list of runs; null before the first look. */
    public @Nullable String summary() {
        JobSample now = last;
        return now == null ? null : Json.object(json -> summary(json, now));
    }

    private void summary(JsonGenerator json, JobSample now) throws IOException {
        JobStats stats = now.stats();
        double seconds = Math.max(stats.elapsedNs() / NS_PER_SECOND, 1e-9);
        json.writeStringField("id", run.id());
        json.writeStringField("topology", stats.topology());
        json.writeStringField("job", run.job());
        json.writeStringField("on", run.on());
        json.writeNumberField("startedMs", run.startedMs());
        json.writeNumberField("changedMs", now.epochMs());
        json.writeStringField("state", now.state());
        json.writeBooleanField("over", now.over());
        json.writeNumberField("elapsedMs", elapsedMs(now));
        if (earlierMs > 0) { // all else was counted since the last restart
            json.writeNumberField("countedMs", elapsedMs(now) - earlierMs);
        }
        json.writeNumberField("in", stats.recordsIn());
        json.writeNumberField("out", stats.recordsOut());
        json.writeNumberField("bad", stats.recordsBad());
        json.writeNumberField("late", stats.recordsLate());
        Json.rounded(json, "inRate", stats.recordsIn() / seconds);
        Json.rounded(json, "outRate", stats.recordsOut() / seconds);
        json.writeNumberField("restarts", now.restarts());
        LatencyStats latency = stats.latency();
        if (latency.samples() > 0) {
            Json.rounded(json, "p50Us", latency.p50Us());
            Json.rounded(json, "p99Us", latency.p99Us());
        }
    }

    /**
     * All that is kept; null before the first look. Bad records are counted by their reasons; the examples of their texts are not
     * kept.
     *
     * @param judgement the last word of the doctor, an object of JSON; null if there is none
     * @param failure that ended the run, in one line; null if none did
     */
    public @Nullable String detail(@Nullable String judgement, @Nullable String failure) {
        JobSample now = last;
        return now == null ? null : Json.object(json -> detail(json, now, judgement, failure));
    }

    private void detail(JsonGenerator json, JobSample now, @Nullable String judgement, @Nullable String failure)
            throws IOException {
        JobStats stats = now.stats();
        summary(json, now);
        json.writeStringField("version", run.version());
        json.writeStringField("failure", failure == null ? now.lastFailure() : failure);
        texts(json, "settings", run.settings());
        texts(json, "options", run.options());
        LatencyStats latency = stats.latency();
        if (latency.samples() > 0) {
            Json.rounded(json, "p90Us", latency.p90Us());
            Json.rounded(json, "p999Us", latency.p999Us());
            Json.rounded(json, "maxUs", latency.maxUs());
        }
        Json.rounded(json, "cpuSeconds", stats.process().cpuNs() / NS_PER_SECOND);
        json.writeNumberField("heapBytes", stats.process().heapUsedBytes());
        json.writeNumberField("gcCount", stats.process().gcCount());
        json.writeNumberField("gcMs", stats.process().gcMs());
        json.writeNumberField(
                "checkpoints", now.checkpoint() == null ? 0 : now.checkpoint().number());
        json.writeArrayFieldStart("badReasons");
        for (BadReason reason : stats.badReasons()) {
            json.writeStartObject();
            json.writeStringField("operator", reason.operator());
            json.writeStringField("reason", reason.reason());
            json.writeNumberField("count", reason.count());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("points"); // milliseconds, records in, records out
        for (Point point : points) {
            json.writeNumber(point.ms());
            json.writeNumber(point.in());
            json.writeNumber(point.out());
        }
        json.writeEndArray();
        json.writeFieldName("plan");
        json.writeRawValue(PlanJson.of(run.id(), stats.plan(), judgement != null));
        if (judgement != null) {
            json.writeFieldName("doctor");
            json.writeRawValue(judgement);
        }
    }

    private static void texts(JsonGenerator json, String name, Map<String, String> texts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            json.writeStringField(text.getKey(), text.getValue());
        }
        json.writeEndObject();
    }
}
