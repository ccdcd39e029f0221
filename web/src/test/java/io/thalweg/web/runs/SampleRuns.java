// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.runs;

import io.thalweg.api.stats.JobState;
import io.thalweg.web.SampleJob;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Two jobs that run, of which one does not answer, two that ran, and a tuning. Their texts hold what must not become HTML. */
public final class SampleRuns implements Runs {
    private static final String SAID =
            "{\"seconds\":9,\"bound\":{\"kind\":\"source\",\"operator\":null,\"text\":\"its input <b>\","
                    + "\"evidence\":[]},\"findings\":[],\"problem\":null}";

    private final RunRecord first = record("first", 1_000_000, "2", 60, JobState.FINISHED);
    private final RunRecord second = record("second", 2_000_000, "4", 90, JobState.FAILED);

    /** The only one. */
    public final SampleTuning tuning = new SampleTuning();

    /** Why runs cannot be read; null if they can. */
    public volatile @Nullable String problem;

    /** How often it was asked what runs. */
    public final AtomicInteger asked = new AtomicInteger();

    /** What stands in place of the run {@code first}; null if it is as it was. */
    public volatile @Nullable String damaged;

    private static RunRecord record(String id, long startedMs, String threads, int seconds, JobState end) {
        RunRecord record = new RunRecord(new RunRecord.Run(
                id,
                "Rivers.java",
                "embedded",
                "thalweg 1",
                startedMs,
                Map.of("in", SampleJob.ODD),
                Map.of("--threads", threads)));
        for (int second = 1; second < seconds; second++) {
            record.look(SampleJob.after(second));
        }
        record.look(SampleJob.after(seconds, "embedded", end, 0));
        return record;
    }

    private void check() {
        String said = problem;
        if (said != null) {
            throw new IllegalStateException(said);
        }
    }

    @Override
    public List<String> running() {
        asked.incrementAndGet();
        return List.of(
                "{\"id\":\"Rivers-1\",\"topology\":\"Rivers\",\"on\":\"embedded\",\"state\":\"RUNNING\",\"elapsedMs\":5000,"
                        + "\"recordsIn\":7000,\"recordsOut\":6000,\"recordsBad\":1,\"restarts\":0,\"web\":\"http://127.0.0.1:1/\"}",
                "{\"id\":\"Rivers-2\",\"problem\":\"does not answer\"}",
                "{\"id\":\"Rivers-3\",\"topology\":\"<i>\",\"on\":\"flink\",\"state\":\"RUNNING\",\"elapsedMs\":5000,"
                        + "\"recordsIn\":0,\"recordsOut\":0,\"recordsBad\":0,\"restarts\":0,\"web\":\"javascript:alert(1)\"}");
    }

    @Override
    public List<String> past() {
        check();
        return List.of(
                String.valueOf(second.summary()), Objects.requireNonNullElse(damaged, String.valueOf(first.summary())));
    }

    @Override
    public @Nullable String past(String id) {
        check();
        return switch (id) {
            case "first" -> damaged == null ? first.detail(SAID, null) : damaged;
            case "second" -> second.detail(null, "out of <b>levels</b>");
            default -> null;
        };
    }

    @Override
    public List<String> tunings() {
        check();
        return List.of(tuning.summary());
    }

    @Override
    public @Nullable String tuning(String id) {
        check();
        return id.equals("tuned") ? tuning.detail() : null;
    }

    @Override
    public String place() {
        return "/somewhere/history.db";
    }
}
