// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.run.time.EventTimeRules;
import java.util.Map;

/** What a user's operator emits to. A side output that nobody reads goes nowhere. */
final class Emitter implements Output<Object> {
    private final Frame frame;
    private final boolean timed;
    private final Receiver next;
    private final Map<String, Receiver> sides;

    /** @param timed false if records have no event time, whatever the frame says of others in this task */
    Emitter(Frame frame, boolean timed, Receiver next, Map<String, Receiver> sides) {
        this.frame = frame;
        this.timed = timed;
        this.next = next;
        this.sides = sides;
    }

    /**
     * A failure further down the chain, on its way through the user's operator, which may catch exceptions: so it is none. The frame keeps
     * it, for operators that catch whatever is thrown.
     */
    static final class Downstream extends Error {
        private static final long serialVersionUID = 1L;

        Downstream(Frame frame, Throwable cause) {
            super(null, cause, false, false);
            if (frame.failedBehind == null) {
                frame.failedBehind = cause;
            }
        }
    }

    @Override
    public void emit(Object value) {
        hand(next, value);
    }

    @Override
    public void emitAt(long time, Object value) {
        long timeInHand = frame.time;
        EventTimeRules.checkEmitAt(time, timed, timeInHand);
        long stampInHand = frame.stamp;
        frame.time = time;
        frame.stamp = EventTimeRules.stampAt(time, stampInHand);
        try {
            hand(next, value);
        } finally {
            frame.time = timeInHand; // also after a null, which the operator may go on behind
            frame.stamp = stampInHand;
        }
    }

    @Override
    public <S> void emit(SideOutput<S> side, S value) {
        Receiver receiver = sides.get(side.name());
        if (receiver != null) {
            hand(receiver, value);
        } else {
            checkNotNull(value);
        }
    }

    @SuppressWarnings("NullAway") // a user's operator may be written without it
    private static void checkNotNull(Object value) {
        if (value == null) {
            throw NullValueException.ofEmit();
        }
    }

    private void hand(Receiver receiver, Object value) {
        checkNotNull(value);
        try {
            receiver.accept(value);
        } catch (Throwable thrown) {
            throw new Downstream(frame, thrown);
        }
    }
}
