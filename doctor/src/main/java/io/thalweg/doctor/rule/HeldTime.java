// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.SplitTime;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A split whose event time stood still while others moved on: windows behind its source fire no further than that.
 *
 * @param task that reads it
 * @param last of its event times
 * @param movedMs how far the split that is furthest came meanwhile
 * @param forNs how long it was seen to stand still
 */
record HeldTime(String task, SplitTime last, long movedMs, long forNs) {
    /** The split that holds a source back in the newer half of the observation; null if none does, or the engine does not tell. */
    static @Nullable HeldTime of(Facts facts, ChainFacts source) {
        List<Span> spans = facts.steady();
        Span middle = spans.get(spans.size() / 2);
        Span end = spans.get(spans.size() - 1);
        HeldTime held = null;
        for (TaskSpan task : end.tasks()) {
            List<SplitTime> splits = task.splitTimes();
            if (!task.operators().equals(source.info().operators()) || splits == null) {
                continue;
            }
            for (SplitTime split : splits) {
                if (isLess(split, held) && stoodStill(middle, task, split)) {
                    long moved = furthest(end, source, split.operator()) - furthest(middle, source, split.operator());
                    held = new HeldTime(task.task(), split, moved, end.toNs() - middle.toNs());
                }
            }
        }
        return held;
    }

    private static boolean isLess(SplitTime split, @Nullable HeldTime than) {
        if (than == null) {
            return true;
        }
        Long time = split.watermarkMs();
        Long other = than.last.watermarkMs();
        return other != null && (time == null || time < other);
    }

    private static boolean stoodStill(Span then, TaskSpan task, SplitTime split) {
        return then.tasks().stream()
                .filter(each -> each.task().equals(task.task()))
                .map(TaskSpan::splitTimes)
                .filter(Objects::nonNull)
                .anyMatch(times -> times.contains(split));
    }

    /** The greatest event time of a source; 0 if there is none yet. */
    private static long furthest(Span span, ChainFacts source, String operator) {
        return span.tasks().stream()
                .filter(task -> task.operators().equals(source.info().operators()))
                .map(TaskSpan::splitTimes)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .filter(split -> split.operator().equals(operator))
                .map(SplitTime::watermarkMs)
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }
}
