// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.run.Clock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a record that fails by itself from an operator that fails at every record, because a service is down,
 * say. Used in each task of a job that drops records after retries. A failed record is held, and the task continues: if
 * the operator passes another record, the failure is the record's own and counts. If others fail too, or none arrives
 * within a second and none passed before, it does not count, and the job fails.
 */
public final class PoisonRecords {
    /** After this many consecutive failures the operator is considered faulty. */
    private static final int MOST_HELD = 100;

    private static final long PATIENCE_NS = 1_000_000_000;

    /** Counts the records that an operator and its successors in the chain have processed. */
    static final class Passing implements Receiver {
        private final Receiver operator;
        private final Count.Passed passed;

        record Parts(Receiver operator, Count.Passed passed) implements Specialiser.Parts<Receiver> {
            @Override
            public Class<Passing> type() {
                return Passing.class;
            }
        }

        Passing(Parts parts) {
            operator = parts.operator();
            passed = parts.passed();
        }

        @Override
        public void accept(Object value) throws Exception {
            operator.accept(value);
            passed.records++;
        }
    }

    /**
     * A record that failed.
     *
     * @param key identifies the record
     * @param passedBefore records that the operator passed between the failure before and this one
     * @param passed records that the operator had passed until then
     * @param root of the record, which is not acked while it is held; 0 if the job is not acked
     */
    private record Held(
            OperatorException failure,
            String key,
            BadRecord record,
            long passedBefore,
            long passed,
            long root,
            long id) {
        String operator() {
            return failure.operator();
        }
    }

    private final Frame frame;
    private final FailureHistory failureHistory;
    private final Clock clock;
    private final Map<String, Count.Passed> passed = new HashMap<>();
    private final Map<String, Long> passedAtFailure = new HashMap<>();
    private final List<Held> held = new ArrayList<>();
    private long heldSinceNs;

    public PoisonRecords(Frame frame, FailureHistory failureHistory, Clock clock) {
        this.frame = frame;
        this.failureHistory = failureHistory;
        this.clock = clock;
    }

    /** The counter of records that an operator has passed. */
    public Count.Passed passedBy(String operator) {
        return passed.computeIfAbsent(operator, name -> new Count.Passed());
    }

    /** Counts what an operator's receiver has passed. */
    public Receiver passing(Receiver entry, String operator, Specialiser specialiser) {
        return specialiser.make(new Passing.Parts(entry, passedBy(operator)));
    }

    /**
     * An operator failed at an input record of the chain.
     *
     * @param whole false if other records derived from the same source record are still being processed by the task
     * @throws OperatorException this failure or one before it, if the job is to fail
     */
    void failed(OperatorException failure, @Nullable Object record, boolean whole) throws OperatorException {
        judge();
        Held one = hold(failure, String.valueOf(record), whole);
        if (!whole && frame.anchor != null) { // it cannot be held back alone
            if (one.passedBefore() == 0 || !failureHistory.failed(one.key())) {
                throw failure;
            }
            giveUp(one);
            return;
        }
        heldSinceNs = held.isEmpty() ? clock.nowNs() : heldSinceNs;
        held.add(one);
        if (held.size() > MOST_HELD) {
            throw held.get(0).failure();
        }
    }

    private Held hold(OperatorException failure, String text, boolean whole) {
        long now = passedBy(failure.operator()).records;
        Long atFailure = passedAtFailure.put(failure.operator(), now);
        String reason = "given up after " + failureHistory.tries() + (failureHistory.tries() == 1 ? " time" : " times")
                + ": " + failure.thrown();
        BadRecord bad = frame.current(reason, text.getBytes(StandardCharsets.UTF_8));
        String place = frame.reader == null ? "" : bad.split() + '\n' + bad.offset() + '\n';
        frame.dropped++;
        Anchor anchor = frame.anchor;
        long root = anchor == null || !whole ? 0 : anchor.root();
        long id = anchor == null || root == 0 ? 0 : anchor.withhold();
        return new Held(
                failure,
                failure.operator() + '\n' + place + text,
                bad,
                atFailure == null ? now : now - atFailure,
                now,
                root,
                id);
    }

    /** Decides about held records at the end of each turn, from what has passed since. */
    void judge() throws OperatorException {
        if (held.isEmpty()) {
            return;
        }
        List<Held> own = new ArrayList<>();
        for (Held each : held) {
            if (passedBy(each.operator()).records > each.passed()) {
                own.add(each);
            }
        }
        held.removeAll(own);
        count(own);
        if (!held.isEmpty() && clock.nowNs() - heldSinceNs > PATIENCE_NS) {
            settle();
        }
    }

    /** Decides about all held records, before a barrier or the end of input. */
    void settle() throws OperatorException {
        if (held.isEmpty()) {
            return;
        }
        Held first = held.get(0);
        if (held.size() > 1 || first.passedBefore() == 0) {
            throw first.failure();
        }
        held.clear();
        count(List.of(first));
    }

    /** Counts all of them, even if the first one fails the job. */
    private void count(List<Held> own) throws OperatorException {
        OperatorException failure = null;
        for (Held each : own) {
            if (!failureHistory.failed(each.key()) && failure == null) {
                failure = each.failure();
            }
        }
        if (failure != null) {
            throw failure;
        }
        own.forEach(this::giveUp);
    }

    private void giveUp(Held each) {
        frame.givenUp(each.operator(), each.record());
        Anchor anchor = frame.anchor;
        if (anchor != null && each.root() != 0) {
            anchor.release(each.root(), each.id());
        }
    }
}
