// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A job of a cluster.
 *
 * @param id 32 hexadecimal digits
 * @param name as its user gave it, in one line; not always unique
 * @param state as Flink calls it
 */
public record FlinkJob(String id, String name, String state) {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final List<String> ENDED = List.of("FINISHED", "CANCELED", "FAILED", "SUSPENDED");
    private static final int MOST_TOLD = 10;

    /**
     * The running job of this name or id.
     *
     * @param wanted its name or id; null for the only one that runs
     * @throws IOException if there is none, or several; the message says which there are, in one line
     */
    public static FlinkJob find(FlinkRest rest, @Nullable String wanted) throws IOException, InterruptedException {
        Answer overview = rest.get("/jobs/overview");
        List<FlinkJob> all = overview.at("jobs").elements().stream()
                .sorted(Comparator.comparingLong(
                                (Answer job) -> job.at("start-time").count())
                        .reversed())
                .map(job -> new FlinkJob(
                        job.at("jid").text(),
                        OneLine.of(job.at("name").text()),
                        job.at("state").text()))
                .filter(job -> ID.matcher(job.id).matches())
                .toList();
        List<FlinkJob> right = all.stream()
                .filter(job -> wanted == null || job.name.equals(wanted) || job.id.equals(wanted))
                .toList();
        List<FlinkJob> running = right.stream().filter(job -> !job.hasEnded()).toList();
        if (running.size() == 1) {
            return running.get(0);
        }
        String where = " at " + rest.address();
        if (running.size() > 1) {
            throw new IOException("there are " + running.size() + " running jobs"
                    + (wanted == null ? "" : " '" + wanted + "'") + where + "; say which as flink=" + rest.address()
                    + "/ID: " + told(running));
        }
        if (!right.isEmpty()) {
            throw new IOException((wanted == null ? "no job runs" + where + "; the last one, " : "job ")
                    + right.get(0).ended(rest));
        }
        throw new IOException(
                wanted == null || all.isEmpty()
                        ? "there is no job" + where
                        : "there is no job '" + wanted + "'" + where + "; there are " + told(all));
    }

    private static String told(List<FlinkJob> jobs) {
        return jobs.stream()
                        .limit(MOST_TOLD)
                        .map(job -> job.id + " '" + job.name + "' (" + job.state.toLowerCase(Locale.ROOT) + ")")
                        .collect(Collectors.joining(", "))
                + (jobs.size() > MOST_TOLD ? " and " + (jobs.size() - MOST_TOLD) + " more" : "");
    }

    boolean hasEnded() {
        return ENDED.contains(state);
    }

    private String ended(FlinkRest rest) throws IOException, InterruptedException {
        String how = "'" + name + "', has ended: it is " + state.toLowerCase(Locale.ROOT);
        String cause = state.equals("FAILED") ? FlinkFailures.of(rest, path()).newest() : null;
        return cause == null ? how : how + ": " + cause;
    }

    String path() {
        return "/jobs/" + id;
    }
}
