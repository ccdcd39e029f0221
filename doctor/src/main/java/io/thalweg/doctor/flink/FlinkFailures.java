// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What made a job fail, as far as Flink remembers.
 *
 * @param all the newest first
 */
record FlinkFailures(List<Failure> all) {
    private static final int MOST = 20;

    /**
     * One of them.
     *
     * @param atMs when, in epoch milliseconds
     * @param cause in one line
     */
    record Failure(long atMs, String cause) {}

    /** @param path of the job */
    static FlinkFailures of(FlinkRest rest, String path) throws IOException, InterruptedException {
        Answer answer = rest.find(path + "/exceptions?maxExceptions=" + MOST);
        if (answer == null) {
            return new FlinkFailures(List.of());
        }
        return new FlinkFailures(answer.at("exceptionHistory").at("entries").elements().stream()
                .limit(MOST)
                .map(FlinkFailures::failure)
                .toList());
    }

    private static Failure failure(Answer entry) {
        String task = OneLine.of(entry.at("taskName").text());
        String cause = OneLine.cause(entry.at("stacktrace").text());
        return new Failure(entry.at("timestamp").count(), task.isEmpty() ? cause : "task '" + task + "': " + cause);
    }

    /** Null if there is none. */
    @Nullable String newest() {
        return all.isEmpty() ? null : all.get(0).cause();
    }

    long since(long ms) {
        return all.stream().filter(failure -> failure.atMs() >= ms).count();
    }
}
