// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import java.util.ArrayList;
import java.util.List;

/** The spans of an observation of any length: when there are many, two neighbours become one. Not thread-safe. */
public final class Spans {
    /** A minute of seconds, and less than a megabyte of JSON for a job with 30 tasks. */
    private static final int MOST = 60;

    private final List<Span> spans = new ArrayList<>();

    /** Adds a span that begins where the last one ended. */
    public void add(Span span) {
        if (spans.size() == MOST) {
            List<Span> half = new ArrayList<>();
            for (int i = 0; i < MOST; i += 2) {
                half.add(merged(spans.get(i), spans.get(i + 1)));
            }
            spans.clear();
            spans.addAll(half);
        }
        spans.add(span);
    }

    /** In the order of time. */
    public List<Span> all() {
        return List.copyOf(spans);
    }

    private static Span merged(Span first, Span second) {
        List<TaskSpan> tasks = new ArrayList<>();
        for (TaskSpan task : second.tasks()) {
            TaskSpan same = first.tasks().stream()
                    .filter(each -> each.task().equals(task.task()))
                    .findFirst()
                    .orElse(null);
            tasks.add(same == null ? task : same.and(task));
        }
        List<ProcessSpan> processes = new ArrayList<>();
        for (ProcessSpan process : second.processes()) {
            ProcessSpan same = first.processes().stream()
                    .filter(each -> each.process().equals(process.process()))
                    .findFirst()
                    .orElse(null);
            processes.add(same == null ? process : same.and(process));
        }
        return new Span(
                first.fromNs(),
                second.toNs(),
                first.recordsIn() + second.recordsIn(),
                first.recordsOut() + second.recordsOut(),
                first.recordsBad() + second.recordsBad(),
                first.recordsLate() + second.recordsLate(),
                second.windowsOpen(),
                second.pendingAcks(),
                tasks,
                processes,
                Ages.sum(first.ages(), second.ages()));
    }
}
