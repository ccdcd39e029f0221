// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

import com.fasterxml.jackson.core.JsonGenerator;
import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.BadReason;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LateRecords;
import io.thalweg.api.stats.LateSample;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.web.watch.ChainRates;
import io.thalweg.web.watch.Column;
import io.thalweg.web.watch.EngineMetrics;
import io.thalweg.web.watch.JobWatch;
import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** How a job is doing: what the page asks for each second. */
final class StateJson {
    private static final double NS_PER_MS = 1e6;
    private static final long MOST_TASKS = 1_024;
    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    private final String run;
    private final JobWatch.Seen seen;
    private final JobStats now;
    private final @Nullable JobStats before;
    private final ChainRates rates;
    private final @Nullable Judgement judgement;
    private final @Nullable ControlResult order;

    /**
     * What is told of one look.
     *
     * @param run distinguishes this run from others that listen at the same address
     * @param judgement null if there is none that the page does not know
     * @param order what came of the newest one; null if the page gives none
     */
    StateJson(
            String run,
            JobWatch.Seen seen,
            int queueBatches,
            @Nullable Judgement judgement,
            @Nullable ControlResult order) {
        this.judgement = judgement;
        this.order = order;
        this.run = run;
        this.seen = seen;
        now = seen.now().stats();
        before = seen.before() == null ? null : seen.before().stats();
        rates = ChainRates.of(before, now, queueBatches);
    }

    /** @param chain whose tasks are wanted, by its place in the plan; others are told as wholes only */
    String text(int chain) {
        return Json.object(json -> {
            json.writeStringField("run", run);
            json.writeStringField("state", seen.now().state());
            json.writeNumberField("epochMs", seen.now().epochMs());
            json.writeNumberField("elapsedMs", Math.round(now.elapsedNs() / NS_PER_MS));
            if (EngineMetrics.by(now.plan()).restarts()) {
                json.writeNumberField("restarts", seen.now().restarts());
            }
            json.writeStringField("lastFailure", seen.now().lastFailure());
            totals(json);
            chains(json);
            json.writeNumberField("chain", chain);
            json.writeArrayFieldStart("tasks");
            if (chain >= 0 && chain < rates.chains().size()) {
                List<ChainRates.OfTask> tasks = rates.chains().get(chain).tasks();
                for (ChainRates.OfTask task : tasks.stream().limit(MOST_TASKS).toList()) {
                    task(json, task);
                }
            }
            json.writeEndArray();
            latency(json, "latency", now.latency());
            acks(json, now.acks());
            process(json, now.process());
            checkpoints(json, seen.checkpoints());
            bad(json, now.badReasons());
            late(json, now.late());
            connections(json, now.connections());
            state(json, now.keptState());
            history(json, seen.columns());
            ControlResult done = order;
            if (done != null) {
                json.writeObjectFieldStart("order");
                json.writeNumberField("number", done.number());
                json.writeStringField("text", done.text());
                json.writeBooleanField("failed", done.failed());
                json.writeEndObject();
            }
            Judgement newer = judgement;
            if (newer != null) {
                json.writeNumberField("judged", newer.number());
                json.writeFieldName("doctor");
                json.writeRawValue(newer.json());
            }
        });
    }

    private void totals(JsonGenerator json) throws IOException {
        json.writeNumberField("in", now.recordsIn());
        json.writeNumberField("out", now.recordsOut());
        json.writeNumberField("bad", now.recordsBad());
        json.writeNumberField("late", now.recordsLate());
        json.writeNumberField("windows", now.windowsOpen());
        if (now.hasLag()) {
            json.writeNumberField("lag", now.lag());
        }
        double seconds = (now.elapsedNs() - (before == null ? 0 : before.elapsedNs())) / 1e9;
        double in = now.recordsIn() - (before == null ? 0 : before.recordsIn());
        double out = now.recordsOut() - (before == null ? 0 : before.recordsOut());
        Json.rounded(json, "inRate", seconds <= 0 ? 0 : in / seconds);
        Json.rounded(json, "outRate", seconds <= 0 ? 0 : out / seconds);
    }

    private void chains(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("chains");
        for (ChainRates.OfChain chain : rates.chains()) {
            json.writeStartObject();
            json.writeNumberField("tasks", chain.tasks().size());
            Json.rounded(json, "in", chain.in());
            Json.rounded(json, "out", chain.out());
            Json.rounded(json, "busy", chain.busy());
            Json.rounded(json, "heldBack", chain.heldBack());
            Json.rounded(json, "waiting", chain.waiting());
            json.writeNumberField("queued", chain.queued());
            json.writeNumberField("room", chain.room());
            Json.rounded(json, "skew", chain.skew());
            json.writeNumberField("bad", sum(chain, TaskStats::recordsBad));
            json.writeNumberField("late", sum(chain, TaskStats::recordsLate));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("edges");
        for (Double rate : rates.edges()) {
            if (rate == null) {
                json.writeNull();
            } else {
                Json.rounded(json, rate);
            }
        }
        json.writeEndArray();
    }

    private static long sum(ChainRates.OfChain chain, ToLongFunction<TaskStats> count) {
        return chain.tasks().stream()
                .mapToLong(task -> count.applyAsLong(task.now()))
                .sum();
    }

    private static void task(JsonGenerator json, ChainRates.OfTask task) throws IOException {
        TaskStats total = task.now();
        json.writeStartObject();
        json.writeStringField("task", total.task());
        json.writeNumberField("index", total.index());
        Json.rounded(json, "in", task.in());
        Json.rounded(json, "out", task.out());
        json.writeNumberField("totalIn", total.recordsIn());
        json.writeNumberField("totalOut", total.recordsOut());
        Json.rounded(json, "busy", task.busy());
        Json.rounded(json, "heldBack", task.heldBack());
        Json.rounded(json, "waiting", task.waiting());
        json.writeNumberField("queued", total.queueDepth());
        Json.rounded(json, "longestMs", total.longestCallNs() / NS_PER_MS);
        json.writeNumberField("slowCalls", total.slowCalls());
        json.writeNumberField("bad", total.recordsBad());
        json.writeNumberField("late", total.recordsLate());
        json.writeNumberField("keys", task.keys());
        json.writeNumberField("stateBytes", task.stateBytes());
        if (!total.input().splits().isEmpty()) {
            json.writeNumberField("lag", total.input().lag());
        }
        json.writeNumberField("heldSplits", total.alignment().heldSplits());
        json.writeEndObject();
    }

    private static void latency(JsonGenerator json, String name, LatencyStats latency) throws IOException {
        if (latency.samples() > 0) {
            json.writeObjectFieldStart(name);
            json.writeNumberField("samples", latency.samples());
            Json.rounded(json, "p50Us", latency.p50Us());
            Json.rounded(json, "p90Us", latency.p90Us());
            Json.rounded(json, "p99Us", latency.p99Us());
            Json.rounded(json, "p999Us", latency.p999Us());
            Json.rounded(json, "maxUs", latency.maxUs());
            json.writeEndObject();
        }
    }

    private static void acks(JsonGenerator json, AckStats acks) throws IOException {
        if (!acks.equals(AckStats.NONE)) {
            json.writeObjectFieldStart("acks");
            json.writeNumberField("pending", acks.pending());
            json.writeNumberField("acked", acks.acked());
            json.writeNumberField("failed", acks.failed());
            json.writeNumberField("timedOut", acks.timedOut());
            json.writeNumberField("givenUp", acks.givenUp());
            latency(json, "complete", acks.complete());
            json.writeEndObject();
        }
    }

    private void process(JsonGenerator json, ProcessStats process) throws IOException {
        json.writeObjectFieldStart("process");
        double ns = now.elapsedNs() - (before == null ? 0 : before.elapsedNs());
        double cpu = process.cpuNs() - (before == null ? 0 : before.process().cpuNs());
        Json.rounded(json, "cores", ns <= 0 ? 0 : Math.max(0, cpu / ns));
        json.writeNumberField("heapBytes", process.heapUsedBytes());
        json.writeNumberField("gcCount", process.gcCount());
        json.writeNumberField("gcMs", process.gcMs());
        json.writeNumberField("threads", process.threads());
        json.writeEndObject();
    }

    private static void checkpoints(JsonGenerator json, List<CheckpointStats> checkpoints) throws IOException {
        json.writeArrayFieldStart("checkpoints");
        for (CheckpointStats checkpoint : checkpoints) {
            json.writeStartObject();
            json.writeNumberField("number", checkpoint.number());
            json.writeNumberField("beganMs", checkpoint.beganMs());
            json.writeNumberField("tookMs", checkpoint.tookMs());
            json.writeNumberField("alignedMs", checkpoint.alignedMs());
            json.writeNumberField("pausedMs", checkpoint.pausedMs());
            json.writeNumberField(
                    "bytes",
                    checkpoint.states().stream()
                            .mapToLong(CheckpointStats.StateSize::bytes)
                            .sum());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void bad(JsonGenerator json, List<BadReason> reasons) throws IOException {
        json.writeArrayFieldStart("badReasons");
        for (BadReason reason : reasons) {
            json.writeStartObject();
            json.writeStringField("operator", reason.operator());
            json.writeStringField("reason", reason.reason());
            json.writeNumberField("count", reason.count());
            json.writeStringField("place", reason.place());
            json.writeStringField("example", reason.example());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void late(JsonGenerator json, List<LateRecords> operators) throws IOException {
        json.writeArrayFieldStart("lateRecords");
        for (LateRecords late : operators) {
            json.writeStartObject();
            json.writeStringField("operator", late.operator());
            json.writeNumberField("count", late.records());
            if (!late.lateBy().isEmpty()) {
                json.writeNumberField("halfMs", late.byMs(HALF));
                json.writeNumberField("mostMs", late.byMs(MOST));
                json.writeNumberField("allMs", late.byMs(1));
            }
            json.writeArrayFieldStart("samples");
            for (LateSample sample : late.samples()) {
                json.writeStartObject();
                json.writeStringField("record", sample.record());
                json.writeStringField("split", sample.split());
                time(json, "timeMs", sample.timeMs());
                time(json, "stampMs", sample.stampMs());
                time(json, "watermarkMs", sample.watermarkMs());
                json.writeNumberField("lateByMs", sample.lateByMs());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void time(JsonGenerator json, String name, @Nullable Long epochMs) throws IOException {
        if (epochMs != null) {
            json.writeNumberField(name, epochMs);
        }
    }

    private static void connections(JsonGenerator json, List<ConnectionStats> connections) throws IOException {
        json.writeArrayFieldStart("connections");
        for (ConnectionStats connection : connections) {
            json.writeStartObject();
            json.writeStringField("operator", connection.operator());
            json.writeStringField("system", connection.system());
            json.writeStringField("reason", connection.reason());
            json.writeNumberField("timesLost", connection.timesLost());
            Json.rounded(json, "lostMs", connection.lostNs() / NS_PER_MS);
            Json.rounded(json, "lostForMs", connection.lostForNs() / NS_PER_MS);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void state(JsonGenerator json, List<StateStats> states) throws IOException {
        json.writeArrayFieldStart("kept");
        for (StateStats state : states) {
            json.writeStartObject();
            json.writeStringField("operator", state.operator());
            json.writeNumberField("keys", state.keys());
            json.writeNumberField("bytes", state.bytes());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void history(JsonGenerator json, List<Column> columns) throws IOException {
        json.writeArrayFieldStart("upToUs");
        for (long bound : now.latencies().upToUs()) {
            json.writeNumber(bound);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("columns");
        for (Column column : columns) {
            json.writeStartObject();
            json.writeNumberField("number", column.number());
            json.writeNumberField("epochMs", column.epochMs());
            Json.rounded(json, "in", column.in());
            Json.rounded(json, "out", column.out());
            json.writeArrayFieldStart("latencies"); // the bucket, and how many samples fell into it
            for (int i = 0; i < column.latencies().size(); i++) {
                if (column.latencies().get(i) > 0) {
                    json.writeNumber(i);
                    json.writeNumber(column.latencies().get(i));
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
