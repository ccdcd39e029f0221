// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Effect;
import io.thalweg.doctor.tune.Step;
import io.thalweg.doctor.tune.TuneReport;
import io.thalweg.run.Clock;
import io.thalweg.web.page.Json;
import io.thalweg.web.runs.RunRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is shown and kept of one tuning: its summary and its details, as JSON. Any thread may call. */
final class TuningRecord {
    /** How far it is. */
    enum State {
        /** It goes on, or its process was killed. */
        RUNNING,
        /** It came to its end. */
        FINISHED,
        /** The user has stopped it. */
        STOPPED,
        /** The job cannot be tuned. */
        FAILED
    }

    private final RunRecord.Run tuning;
    private final String topology;
    private final Clock clock;
    private State state = State.RUNNING;
    private long endedMs;
    private @Nullable String page;
    private @Nullable String failure;
    private String next = "";
    private @Nullable TuneReport report;
    private @Nullable String file;
    private @Nullable String settings;
    private @Nullable String command;

    /** Of a tuning that begins. */
    TuningRecord(RunRecord.Run tuning, String topology, Clock clock) {
        this.tuning = tuning;
        this.topology = topology;
        this.clock = clock;
    }

    /** Where its own page is, without a token. */
    synchronized void shownAt(String address) {
        page = address;
    }

    /** What happens now, in a line. */
    synchronized void next(String words) {
        next = words;
    }

    /** The report so far. */
    synchronized void report(TuneReport now) {
        report = now;
    }

    /** The last report; null if there was none yet. */
    synchronized @Nullable TuneReport report() {
        return report;
    }

    /**
     * The settings that were written.
     *
     * @param name of the file
     * @param text in it
     * @param applied the command that applies it
     */
    synchronized void settings(String name, String text, String applied) {
        file = name;
        settings = text;
        command = applied;
    }

    /** @param problem why it failed, in one line; null if it did not */
    synchronized void end(State last, @Nullable String problem) {
        state = last;
        failure = problem;
        next = "";
        endedMs = clock.epochMs();
    }

    /** All of it, as it is now. */
    synchronized RunStore.Run kept() {
        return new RunStore.Run(tuning.id(), tuning.startedMs(), Json.object(this::writeSummary), detail());
    }

    /** The details, as they are now. */
    synchronized String detail() {
        return Json.object(this::writeDetail);
    }

    private void writeSummary(JsonGenerator json) throws IOException {
        long nowMs = state == State.RUNNING ? clock.epochMs() : endedMs;
        json.writeStringField("id", tuning.id());
        json.writeStringField("topology", topology);
        json.writeStringField("job", tuning.job());
        json.writeNumberField("startedMs", tuning.startedMs());
        json.writeNumberField("changedMs", nowMs);
        json.writeNumberField("elapsedMs", Math.max(0, nowMs - tuning.startedMs()));
        json.writeStringField("state", state.name());
        json.writeBooleanField("over", state != State.RUNNING);
        if (page != null && state == State.RUNNING) {
            json.writeStringField("web", page);
        }
        TuneReport now = report;
        if (now != null) {
            json.writeStringField("goal", now.goal());
            json.writeNumberField("steps", now.steps().size());
            json.writeNumberField("kept", now.changes().size());
            Effect gain = gain(now);
            if (gain != null) {
                Json.rounded(json, "gain", gain.ratio());
            }
        }
    }

    /** Of all that is kept; null if that is nothing, or was not measured. */
    private static @Nullable Effect gain(TuneReport report) {
        if (report.isWithdrawn()) {
            return null;
        }
        List<Step> kept = report.keptSteps();
        TuneReport.Reset reset = report.reset();
        if (report.total() == null && reset != null && report.isReset() && kept.isEmpty()) {
            return reset.measured();
        }
        return report.total() == null && kept.size() == 1 ? kept.get(0).measured() : report.total();
    }

    private void writeDetail(JsonGenerator json) throws IOException {
        writeSummary(json);
        json.writeStringField("version", tuning.version());
        json.writeStringField("failure", failure);
        json.writeStringField("next", next);
        texts(json, "settings", tuning.settings());
        texts(json, "options", tuning.options());
        json.writeStringField("file", file);
        json.writeStringField("tuned", settings);
        json.writeStringField("command", command);
        if (report != null) {
            json.writeFieldName("report");
            json.writeRawValue(RecordJson.line(report));
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
