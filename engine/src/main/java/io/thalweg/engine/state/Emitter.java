// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.engine.chain.Receiver;
import java.util.Map;

/** What a user's operator emits to. A side output that nobody reads goes nowhere. */
public final class Emitter implements Output<Object> {
    private final Receiver next;
    private final Map<String, Receiver> sides;

    public Emitter(Receiver next, Map<String, Receiver> sides) {
        this.next = next;
        this.sides = sides;
    }

    /** A failure further down the chain, on its way through the user's operator. */
    static final class Downstream extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Downstream(Exception cause) {
            super(null, cause, false, false);
        }
    }

    @Override
    public void emit(Object value) {
        hand(next, value);
    }

    @Override
    public <S> void emit(SideOutput<S> side, S value) {
        Receiver receiver = sides.get(side.name());
        if (receiver != null) {
            hand(receiver, value);
        }
    }

    @SuppressWarnings("NullAway") // a user's operator may be written without it
    private static void hand(Receiver receiver, Object value) {
        if (value == null) {
            throw NullValueException.ofEmit();
        }
        try {
            receiver.accept(value);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new Downstream(e);
        }
    }
}
