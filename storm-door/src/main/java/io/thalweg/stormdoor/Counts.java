// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/** What one executor did. Any thread may count, where nothing else is said. */
final class Counts {
    /** As many errors are kept, as with Storm. */
    static final int MOST_ERRORS = 10;

    /** Of a stream that it emits to; and of a spout, what became of the tuples. */
    static final class Sent {
        final String stream;
        final OwnedCounter emitted = new OwnedCounter();
        final OwnedCounter transferred = new OwnedCounter();
        final OwnedCounter acked = new OwnedCounter();
        final OwnedCounter failed = new OwnedCounter();
        final Mean complete = new Mean();

        /** Of those that are acked. */
        final Sampler sampler;

        Sent(String stream, Sampler sampler) {
            this.stream = stream;
            this.sampler = sampler;
        }

        void begin() {
            emitted.begin();
            transferred.begin();
            acked.begin();
            failed.begin();
        }
    }

    /** Of a stream that a bolt reads. */
    static final class Received {
        final GlobalStreamId from;

        /** Interned, as the names in tuples are, so that comparing them is comparing references. */
        private final String component;

        private final String stream;
        final OwnedCounter executed = new OwnedCounter();
        final OwnedCounter acked = new OwnedCounter();
        final OwnedCounter failed = new OwnedCounter();
        final Mean execute = new Mean();
        final Mean process = new Mean();

        /** Of those that are executed. */
        final Sampler sampler;

        Received(GlobalStreamId from, Sampler sampler) {
            this.from = from;
            this.sampler = sampler;
            component = from.get_componentId().intern();
            stream = from.get_streamId().intern();
        }

        void begin() {
            executed.begin();
            acked.begin();
            failed.begin();
        }
    }

    /** @param epochMs when it was reported */
    record ReportedError(String stackTrace, long epochMs) {}

    private final List<Sent> sent = new ArrayList<>();
    private final Received[] received;

    /** Of tuples that came from nowhere: a bolt has made them itself. */
    private final Received made;

    /** A bolt need not ack where nothing is acked; one that talks to a child does, and is waited for. */
    private volatile boolean mayAckNothing;

    /** Calls of {@code execute} that have begun, of tuples that count. */
    final OwnedCounter begun = new OwnedCounter();

    final Times execute = new Times();
    final Times process = new Times();
    final Times complete = new Times();

    /** The part of the tuples whose times are taken. */
    final double rate;

    private final LongAdder errors = new LongAdder();
    private volatile @Nullable String lastError;

    /** The newest first. Guarded by itself. */
    private final Deque<ReportedError> reported = new ArrayDeque<>();

    /**
     * @param streams that it may emit to
     * @param inputs of a bolt
     * @param conf of the component
     */
    Counts(Collection<String> streams, Collection<GlobalStreamId> inputs, Map<String, Object> conf) {
        streams.forEach(stream -> sent.add(new Sent(stream, new Sampler(conf))));
        received = inputs.stream()
                .map(from -> new Received(from, new Sampler(conf)))
                .toArray(Received[]::new);
        made = new Received(new GlobalStreamId("", ""), new Sampler(conf));
        rate = made.sampler.rate();
    }

    /** Called by the thread that will count nearly all of it. */
    void begin() {
        begun.begin();
        sent.forEach(Sent::begin);
        List.of(received).forEach(Received::begin);
        made.begin();
    }

    Sent sent(String stream) {
        for (Sent each : sent) {
            if (each.stream.equals(stream)) {
                return each;
            }
        }
        throw new IllegalArgumentException("there is no stream '" + stream + "'");
    }

    /** Where a tuple counts that a bolt was given. */
    Received received(Tuple tuple) {
        String component = tuple.getSourceComponent();
        String stream = tuple.getSourceStreamId();
        for (Received each : received) {
            if (each.stream.equals(stream) && each.component.equals(component)) {
                return each;
            }
        }
        return made;
    }

    List<Sent> sent() {
        return sent;
    }

    List<Received> received() {
        return List.of(received);
    }

    void report(Throwable error, long epochMs) {
        errors.increment();
        lastError = String.valueOf(error);
        synchronized (reported) {
            reported.addFirst(new ReportedError(ClusterUtils.stringifyError(error), epochMs));
            if (reported.size() > MOST_ERRORS) {
                reported.removeLast();
            }
        }
    }

    /** Those that are kept, the newest first. */
    List<ReportedError> errors() {
        synchronized (reported) {
            return List.copyOf(reported);
        }
    }

    private long sumOfSent(Function<Sent, OwnedCounter> counter) {
        return sent.stream().mapToLong(each -> counter.apply(each).sum()).sum();
    }

    private long sumOfReceived(Function<Received, OwnedCounter> counter) {
        return Stream.concat(Stream.of(received), Stream.of(made))
                .mapToLong(each -> counter.apply(each).sum())
                .sum();
    }

    private long emitted() {
        return sumOfSent(each -> each.emitted);
    }

    private long transferred() {
        return sumOfSent(each -> each.transferred);
    }

    private long executed() {
        return sumOfReceived(each -> each.executed);
    }

    private long acked() {
        return sumOfSent(each -> each.acked) + sumOfReceived(each -> each.acked);
    }

    private long failed() {
        return sumOfSent(each -> each.failed) + sumOfReceived(each -> each.failed);
    }

    /** It is no fault if the bolt acks and fails nothing at all. */
    void mayAckNothing() {
        mayAckNothing = true;
    }

    /** Tuples that a bolt was given and has neither acked nor failed; none of one that may ack nothing, and has not. */
    long open() {
        long settled = acked() + failed();
        return settled == 0 && mayAckNothing ? 0 : begun.sum() - settled;
    }

    private static long sum(List<Counts> executors, ToLongFunction<Counts> count) {
        return executors.stream().mapToLong(count).sum();
    }

    static ComponentStats of(Layout.Component component, List<Counts> executors, long elapsedNs) {
        Times execute = new Times();
        Times process = new Times();
        Times complete = new Times();
        String lastError = null;
        double capacity = 0;
        for (Counts each : executors) {
            execute.add(each.execute);
            process.add(each.process);
            complete.add(each.complete);
            lastError = each.lastError == null ? lastError : each.lastError;
            double busyNs = each.execute.meanNs() * (double) each.executed(); // by samples, so it may be too long
            capacity = Math.max(capacity, Math.min(1, busyNs / Math.max(1, elapsedNs)));
        }
        return new ComponentStats(
                component.id(),
                component.spout(),
                executors.size(),
                component.tasks().size(),
                sum(executors, Counts::emitted),
                sum(executors, Counts::transferred),
                sum(executors, Counts::executed),
                sum(executors, Counts::acked),
                sum(executors, Counts::failed),
                execute.latency(),
                process.latency(),
                complete.latency(),
                capacity,
                sum(executors, each -> each.errors.sum()),
                lastError);
    }
}
