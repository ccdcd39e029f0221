// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** How windows divide the records of one key, of both streams of a join. */
interface JoinWindows {
    /**
     * A record that is kept.
     *
     * @param reached windows that end by this time do not hold it: it was late for them, or they have fired
     */
    record Member(boolean left, Object value, long time, long reached) {}

    /** All records of a window. */
    record Group(long start, long end, List<Member> members) {}

    /**
     * @param groups windows that fire, in the order of their ends
     * @param kept records that windows to come may hold
     * @param next when the first of those windows fires; empty if nothing is kept
     */
    record Fired(List<Group> groups, List<Member> kept, OptionalLong next) {}

    /**
     * When the first window that may hold a record fires, by the watermark.
     *
     * @param reached only windows that fire later hold it
     * @return empty if there is none
     */
    OptionalLong fires(long time, long reached);

    /** The windows that fire when the watermark is {@code now}. */
    Fired fire(List<Member> members, long now);

    static JoinWindows of(WindowSpec spec) {
        return spec.accept(new WindowVisitor<>() {
            @Override
            public JoinWindows aligned(WindowSpec.Aligned aligned) {
                return new Aligned(aligned.sizeMs(), aligned.stepMs());
            }

            @Override
            public JoinWindows session(WindowSpec.Session session) {
                return new Session(session.gapMs());
            }

            @Override
            public JoinWindows count(WindowSpec.Count count) {
                throw new IllegalArgumentException("two streams cannot be joined in windows of " + count
                        + ": such windows do not say which records of one"
                        + " stream belong to those of the other; use windows by time, or connect(…).process(…)");
            }

            @Override
            public JoinWindows whole(WindowSpec.Whole whole) {
                return new Whole();
            }
        });
    }

    /** Tumbling and sliding windows. */
    record Aligned(long sizeMs, long stepMs) implements JoinWindows {
        @Override
        public OptionalLong fires(long time, long reached) {
            long leastEnd = Math.max(time + 1, reached + 2);
            long start = -Math.floorDiv(sizeMs - leastEnd, stepMs) * stepMs; // rounded up
            return start <= time ? OptionalLong.of(start + sizeMs - 1) : OptionalLong.empty();
        }

        @Override
        public Fired fire(List<Member> members, long now) {
            Map<Long, Group> groups = new TreeMap<>();
            List<Member> kept = new ArrayList<>();
            long next = Long.MAX_VALUE;
            for (Member each : members) {
                OptionalLong fires = fires(each.time(), each.reached());
                while (fires.isPresent() && fires.getAsLong() <= now) {
                    long end = fires.getAsLong() + 1;
                    groups.computeIfAbsent(end, at -> new Group(at - sizeMs, at, new ArrayList<>()))
                            .members()
                            .add(each);
                    fires = fires(each.time(), fires.getAsLong());
                }
                if (fires.isPresent()) {
                    kept.add(new Member(each.left(), each.value(), each.time(), Math.max(each.reached(), now)));
                    next = Math.min(next, fires.getAsLong());
                }
            }
            return new Fired(
                    List.copyOf(groups.values()), kept, kept.isEmpty() ? OptionalLong.empty() : OptionalLong.of(next));
        }
    }

    /** Records that follow each other by no more than a gap. */
    record Session(long gapMs) implements JoinWindows {
        @Override
        public OptionalLong fires(long time, long reached) {
            long fires = time + gapMs - 1;
            return fires > reached ? OptionalLong.of(fires) : OptionalLong.empty();
        }

        /**
         * Sessions are made of all kept records in the order of their stamps, as if they had come in that order. What comes later has
         * a stamp that no session which fires now is open for, so no session misses a record, whatever came first.
         */
        @Override
        public Fired fire(List<Member> members, long now) {
            List<Member> byStamp = new ArrayList<>(members);
            byStamp.sort(Comparator.comparingLong(Member::reached));
            List<Group> sessions = new ArrayList<>();
            for (Member each : byStamp) {
                Group grown = new Group(each.time(), each.time() + gapMs, new ArrayList<>());
                List<Group> apart = new ArrayList<>();
                for (Group session : sessions) {
                    if (session.end() - 1 > each.reached()
                            && session.start() <= grown.end()
                            && grown.start() <= session.end()) {
                        grown = joined(session, grown);
                    } else {
                        apart.add(session);
                    }
                }
                grown.members().add(each); // last: records of the same time stay in the order of arrival
                apart.add(grown);
                sessions = apart;
            }
            sessions.sort(Comparator.comparingLong(Group::end));
            List<Group> fired =
                    sessions.stream().filter(each -> each.end() - 1 <= now).toList();
            List<Group> open = sessions.subList(fired.size(), sessions.size());
            return new Fired(
                    fired,
                    open.stream().flatMap(each -> each.members().stream()).toList(),
                    open.stream().mapToLong(each -> each.end() - 1).min());
        }

        private static Group joined(Group one, Group other) {
            List<Member> larger = one.members().size() > other.members().size() ? one.members() : other.members();
            larger.addAll(larger == one.members() ? other.members() : one.members());
            return new Group(Math.min(one.start(), other.start()), Math.max(one.end(), other.end()), larger);
        }
    }

    /** One window, which fires at the end of the input. */
    record Whole() implements JoinWindows {
        @Override
        public OptionalLong fires(long time, long reached) {
            return OptionalLong.of(Long.MAX_VALUE);
        }

        @Override
        public Fired fire(List<Member> members, long now) {
            return now == Long.MAX_VALUE
                    ? new Fired(
                            List.of(new Group(Long.MIN_VALUE, Long.MAX_VALUE, members)),
                            List.of(),
                            OptionalLong.empty())
                    : new Fired(List.of(), members, OptionalLong.of(Long.MAX_VALUE));
        }
    }
}
