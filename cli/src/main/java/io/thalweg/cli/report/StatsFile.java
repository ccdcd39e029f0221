// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import io.thalweg.api.stats.JobStats;
import io.thalweg.doctor.observation.RecordJson;

/** Measurements as JSON: an object for each record, with its components under their own names. */
public final class StatsFile {
    private StatsFile() {}

    /** The text, ending in a line break. */
    public static String json(JobStats stats) {
        return RecordJson.text(stats);
    }

    /** Any record, in one line without a line break. */
    public static String line(Record record) {
        return RecordJson.line(record);
    }
}
