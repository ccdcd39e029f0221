// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which windows there are and which records each of them holds. */
final class WindowRules {
    private final NodeSpec.Window window;
    private final Ports out;

    WindowRules(NodeSpec.Window window, Ports out) {
        this.window = window;
        this.out = out;
    }

    void apply(Map<Object, List<Element>> byKey) {
        byKey.forEach(
                (key, elements) -> window.window().accept(new Windows(elements)).forEach(each -> fire(key, each)));
    }

    /** @param timed its result has an event time */
    private record Pane(long start, long end, boolean timed, List<Element> elements) {}

    /** The windows of one key. */
    private final class Windows implements WindowVisitor<List<Pane>> {
        private final List<Element> elements;

        Windows(List<Element> elements) {
            this.elements = elements;
        }

        @Override
        public List<Pane> aligned(WindowSpec.Aligned spec) {
            return WindowRules.this.aligned(spec, withTime(elements));
        }

        @Override
        public List<Pane> session(WindowSpec.Session spec) {
            return sessions(spec.gapMs(), withTime(elements));
        }

        @Override
        public List<Pane> whole(WindowSpec.Whole spec) {
            return List.of(new Pane(Long.MIN_VALUE, Long.MAX_VALUE, false, elements));
        }
    }

    /** Records without a time, as those emitted by an operator at the end, are bad. */
    private List<Element> withTime(List<Element> all) {
        List<Element> timed = all.stream()
                .filter(element -> element.eventTime() != OperatorContext.NO_TIME)
                .toList();
        out.bad += all.size() - timed.size();
        return timed;
    }

    /** True if a record with this stamp comes too late for a window with this end. */
    private boolean isLate(long end, long stamp) {
        long last = end - 1 + window.allowedLatenessMs();
        return (last < end - 1 ? Long.MAX_VALUE : last) <= stamp;
    }

    private void late(Element element) {
        out.late++;
        if (window.late() != null) {
            out.emit(window.late().name(), element);
        }
    }

    private List<Pane> aligned(WindowSpec.Aligned spec, List<Element> elements) {
        Map<Long, List<Element>> panes = new TreeMap<>();
        for (Element element : elements) {
            boolean belongs = false;
            boolean counts = false;
            long start = Math.floorDiv(element.eventTime(), spec.stepMs()) * spec.stepMs();
            for (; start + spec.sizeMs() > element.eventTime(); start -= spec.stepMs()) {
                belongs = true;
                if (!isLate(start + spec.sizeMs(), element.stamp())) {
                    counts = true;
                    panes.computeIfAbsent(start, at -> new ArrayList<>()).add(element);
                }
            }
            if (belongs && !counts) {
                late(element);
            }
        }
        return panes.entrySet().stream()
                .map(each -> new Pane(each.getKey(), each.getKey() + spec.sizeMs(), true, each.getValue()))
                .toList();
    }

    /** Records of one session, and the times of the first and the last. */
    private record Session(long first, long last, List<Element> elements) {
        Session join(Session other) {
            List<Element> both = new ArrayList<>(elements);
            both.addAll(other.elements);
            return new Session(Math.min(first, other.first), Math.max(last, other.last), both);
        }
    }

    private List<Pane> sessions(long gapMs, List<Element> elements) {
        List<Element> byStamp = new ArrayList<>(elements);
        byStamp.sort(Comparator.comparingLong(Element::stamp));
        List<Session> sessions = new ArrayList<>();
        for (Element element : byStamp) {
            long time = element.eventTime();
            if (isLate(time + gapMs, element.stamp())) {
                late(element);
                continue;
            }
            Session joined = new Session(time, time, List.of(element));
            for (Session session : List.copyOf(sessions)) {
                boolean touches = session.first <= time + gapMs && time <= session.last + gapMs;
                if (touches && !isLate(session.last + gapMs, element.stamp())) {
                    sessions.remove(session);
                    joined = session.join(joined);
                }
            }
            sessions.add(joined);
        }
        return sessions.stream()
                .map(session -> new Pane(session.first, session.last + gapMs, true, session.elements))
                .toList();
    }

    private void fire(Object key, Pane pane) {
        Aggregate<Object, Object, Object> aggregate = window.aggregate();
        Object accumulator = aggregate.create();
        out.each(pane.elements, element -> aggregate.add(accumulator, element.value()));
        out.run(accumulator, all -> {
            Object result = new WindowResult<>(key, pane.start, pane.end, Ports.result(aggregate, all));
            if (pane.timed) {
                long stamp = pane.elements.stream().mapToLong(Element::stamp).reduce(pane.end - 2, Math::max);
                out.emit(Element.timed(result, pane.end - 1, stamp));
            } else {
                out.emit(Element.untimed(result, -1));
            }
        });
    }
}
