// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at the tasks of a job. Not thread-safe. */
final class Subtasks {
    /** Of a job; more are not looked at. */
    private static final int MOST = 5_000;

    /** Metrics in one request, whose path must not be too long. */
    private static final int MOST_IDS = 50;

    private static final Pattern SOURCE_RECORDS =
            Pattern.compile("(\\d{1,6})\\.Source__[^/?#&,]{1,300}\\.numRecordsOut");

    private final FlinkRest rest;
    private final String job;
    private final FlinkPlan plan;
    private final Map<String, List<String>> recordsOfSources = new HashMap<>();

    /** @param job its path */
    Subtasks(FlinkRest rest, String job, FlinkPlan plan) {
        this.rest = rest;
        this.job = job;
        this.plan = plan;
    }

    /** All of them. */
    List<TaskTotals> look() throws IOException, InterruptedException {
        List<TaskTotals> tasks = new ArrayList<>();
        for (Map.Entry<String, String> vertex : plan.names().entrySet()) {
            String path = job + "/vertices/" + vertex.getKey();
            Answer answer = rest.find(path);
            if (answer == null) { // the job is being scaled
                continue;
            }
            Map<Integer, Long> read = isSource(vertex.getValue()) ? sourceRecords(path) : Map.of();
            for (Answer subtask : answer.at("subtasks").elements()) {
                tasks.add(task(vertex.getValue(), subtask, read));
            }
            if (tasks.size() > MOST) {
                throw new IOException("the job has more than " + MOST + " tasks, and no more can be looked at");
            }
        }
        return tasks;
    }

    boolean isSource(String operator) {
        return plan.info().operators().stream()
                .anyMatch(each -> each.name().equals(operator) && each.kind().equals("source"));
    }

    private static TaskTotals task(String operator, Answer subtask, Map<Integer, Long> read) {
        Answer metrics = subtask.at("metrics");
        int index = (int) Math.min(subtask.at("subtask").count(), Integer.MAX_VALUE);
        long out = metrics.at("write-records").count();
        return new TaskTotals(
                operator,
                index,
                (int) Math.min(subtask.at("attempt").count(), Integer.MAX_VALUE),
                subtask.at("status").text().equals("RUNNING"),
                subtask.at("status").text().equals("SCHEDULED"),
                OneLine.of(subtask.at("taskmanager-id").text()),
                read.getOrDefault(index, Math.max(metrics.at("read-records").count(), read.isEmpty() ? 0 : out)),
                out,
                metrics.at("read-bytes").count(),
                metrics.at("accumulated-busy-time").count(),
                metrics.at("accumulated-idle-time").count(),
                metrics.at("accumulated-backpressured-time").count());
    }

    /** Flink does not count what a source reads as records read by its task. */
    private Map<Integer, Long> sourceRecords(String path) throws IOException, InterruptedException {
        List<String> ids = recordsOfSources.get(path);
        if (ids == null) {
            Answer list = rest.find(path + "/metrics");
            ids = list == null
                    ? List.of()
                    : list.elements().stream()
                            .map(metric -> metric.at("id").text())
                            .filter(id -> SOURCE_RECORDS.matcher(id).matches())
                            .limit(MOST)
                            .toList();
            if (!ids.isEmpty()) {
                recordsOfSources.put(path, ids);
            }
        }
        Map<Integer, Long> read = new HashMap<>();
        for (int from = 0; from < ids.size(); from += MOST_IDS) {
            String some = String.join(",", ids.subList(from, Math.min(ids.size(), from + MOST_IDS)));
            Answer values = rest.find(path + "/metrics?get=" + URLEncoder.encode(some, StandardCharsets.UTF_8));
            for (Answer metric : values == null ? List.<Answer>of() : values.elements()) {
                Matcher id = SOURCE_RECORDS.matcher(metric.at("id").text());
                if (id.matches()) {
                    read.put(Integer.valueOf(id.group(1)), metric.at("value").count());
                }
            }
        }
        return read;
    }
}
