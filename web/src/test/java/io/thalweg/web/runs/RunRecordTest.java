// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.JobState;
import io.thalweg.web.SampleJob;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunRecordTest {
    private final RunRecord record = new RunRecord(new RunRecord.Run(
            "a-1", "Rivers.java", "embedded", "thalweg 1", 999_000, Map.of("in", "levels"), Map.of("--threads", "2")));

    @Test
    void shouldHaveNothingBeforeTheFirstLook() {
        assertThat(record.summary()).isNull();
        assertThat(record.detail(null, null)).isNull();
    }

    @Test
    void shouldSumUpARun() {
        record.look(SampleJob.after(10));
        assertThat(record.summary())
                .isEqualTo("{\"id\":\"a-1\",\"topology\":\"Rivers\",\"job\":\"Rivers.java\",\"on\":\"embedded\","
                        + "\"startedMs\":999000,\"changedMs\":1010000,\"state\":\"RUNNING\",\"over\":false,\"elapsedMs\":10000,"
                        + "\"in\":10000,\"out\":10004,\"bad\":3,\"late\":2,\"inRate\":1000,\"outRate\":1000.4,\"restarts\":0,"
                        + "\"p50Us\":20,\"p99Us\":400}");
        record.look(SampleJob.after(11, "embedded", JobState.FAILED, 0));
        assertThat(record.summary()).contains("\"state\":\"FAILED\",\"over\":true");
    }

    @Test
    void shouldKeepSettingsPlanAndDiagnosisButNoTextsOfBadRecords() {
        record.look(SampleJob.after(10));
        assertThat(record.detail("{\"bound\":null}", "it <b>failed</b>"))
                .contains(
                        "\"failure\":\"it <b>failed</b>\"",
                        "\"settings\":{\"in\":\"levels\"}",
                        "\"options\":{\"--threads\":\"2\"}",
                        "\"reason\":\"no level: #\",\"count\":3",
                        "\"grouping\":\"by key String\"",
                        "\"doctor\":{\"bound\":null}")
                .doesNotContain("12x");
        assertThat(record.detail(null, null)).doesNotContain("\"doctor\"").contains("\"failure\":null");
    }

    @Test
    void shouldThinOutTheCourseOfALongRun() {
        for (int second = 1; second <= 2_000; second++) {
            record.look(SampleJob.after(second));
        }
        record.look(SampleJob.after(2_000.5, "embedded", JobState.FINISHED, 0));
        String detail = record.detail(null, null);
        String points = detail.substring(detail.indexOf("\"points\":[") + 10, detail.indexOf("],\"plan\""));
        String[] numbers = points.split(",");
        assertThat(numbers.length / 3).isBetween(RunRecord.MOST_POINTS / 2, RunRecord.MOST_POINTS + 1);
        assertThat(points).startsWith("1000,1000,1004,").endsWith(",2000500,2000500,2000504");
    }

    @Test
    void shouldCountTheTimeBeforeARestart() {
        record.look(SampleJob.after(10));
        record.look(SampleJob.after(10, "embedded", JobState.FAILED, 1)); // it is being restored
        record.look(SampleJob.after(5, "embedded", JobState.RUNNING, 1));
        assertThat(record.summary())
                .contains("\"elapsedMs\":15000,\"countedMs\":5000,", "\"in\":5000", "\"restarts\":1");
        assertThat(record.detail(null, null)).contains("\"points\":[15000,5000,5004]");
    }

    /** Of which nothing was seen since. */
    @Test
    void shouldCountTheTimeBeforeARestart_alsoIfTheJobHasRunForLongerSince() {
        record.look(SampleJob.after(2));
        record.look(SampleJob.after(3, "embedded", JobState.RUNNING, 1));
        assertThat(record.summary()).contains("\"elapsedMs\":5000,\"countedMs\":3000,", "\"in\":3000");
    }
}
