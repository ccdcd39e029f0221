// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The windows of one key, and the records in each. */
final class Panes implements WindowVisitor<List<Panes.Pane>> {
    private final long allowedLatenessMs;
    private final List<Element> elements;
    private final Predicate<Element> counts;
    private final Consumer<Element> late;
    private final Ports out;

    /** @param counts false of a record that takes no place in a window of so many */
    Panes(
            long allowedLatenessMs,
            List<Element> elements,
            Predicate<Element> counts,
            Consumer<Element> late,
            Ports out) {
        this.allowedLatenessMs = allowedLatenessMs;
        this.elements = elements;
        this.counts = counts;
        this.late = late;
        this.out = out;
    }

    /** @param timed its result has an event time */
    record Pane(long start, long end, boolean timed, List<Element> elements) {}

    List<Pane> of(WindowSpec spec) {
        return spec.accept(this);
    }

    /** Each record of the key has a number, and a window begins at each multiple of the step. */
    @Override
    public List<Pane> count(WindowSpec.Count spec) {
        List<Element> counted = elements.stream().filter(counts).toList();
        List<Pane> panes = new ArrayList<>();
        for (long first = 0; first < counted.size(); first += spec.step()) {
            List<Element> held = counted.subList((int) first, (int) Math.min(counted.size(), first + spec.size()));
            panes.add(new Pane(0, held.size(), false, held));
        }
        return panes;
    }

    @Override
    public List<Pane> whole(WindowSpec.Whole spec) {
        return List.of(new Pane(Long.MIN_VALUE, Long.MAX_VALUE, false, elements));
    }

    /** Records without a time, as those emitted by an operator at the end, are bad. */
    private List<Element> withTime() {
        List<Element> timed = elements.stream()
                .filter(element -> element.eventTime() != OperatorContext.NO_TIME)
                .toList();
        out.bad += elements.size() - timed.size();
        return timed;
    }

    /** True if a record with this stamp comes too late for a window with this end. */
    private boolean isLate(long end, long stamp) {
        long last = end - 1 + allowedLatenessMs;
        return (last < end - 1 ? Long.MAX_VALUE : last) <= stamp;
    }

    @Override
    public List<Pane> aligned(WindowSpec.Aligned spec) {
        Map<Long, List<Element>> panes = new TreeMap<>();
        for (Element element : withTime()) {
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
                late.accept(element);
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

    @Override
    public List<Pane> session(WindowSpec.Session spec) {
        long gapMs = spec.gapMs();
        List<Element> byStamp = new ArrayList<>(withTime());
        byStamp.sort(Comparator.comparingLong(Element::stamp));
        List<Session> sessions = new ArrayList<>();
        for (Element element : byStamp) {
            long time = element.eventTime();
            if (isLate(time + gapMs, element.stamp())) {
                late.accept(element);
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
}
