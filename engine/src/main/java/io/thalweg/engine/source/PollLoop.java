// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitReader;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** The hot loop of a source: polls a split and pushes the records into the chain. Made by a specialiser. */
public interface PollLoop {
    /** Polls up to {@code limit} records; fewer if there is none now or an output has no room. */
    int run(SplitReader<Object> reader, int limit) throws Exception;

    /** How many records a run passed on before it threw. */
    int done();

    final class Polling implements PollLoop {
        private static final @Nullable Parts CONSTANT = Specialiser.constant(MethodHandles.lookup(), Parts.class);

        private final Parts parts;
        private int done;

        /** @param failuresKept whether the frame looks at a record that an operator fails on */
        public record Parts(Frame frame, Receiver chain, boolean failuresKept) implements Specialiser.Parts<PollLoop> {
            @Override
            public Class<Polling> type() {
                return Polling.class;
            }
        }

        Polling(Parts parts) {
            this.parts = parts;
        }

        @Override
        public int run(SplitReader<Object> reader, int limit) throws Exception {
            int polled = 0;
            try {
                while (polled < limit && !parts().frame().blocked) {
                    Object value = reader.poll();
                    if (value == null) {
                        break;
                    }
                    polled++;
                    push(value);
                }
            } finally {
                done = polled;
            }
            return polled;
        }

        @Override
        public int done() {
            return done;
        }

        /** What catches knows the record, so that the JIT could not leave it out: it makes each one that a handler may see. */
        private void push(Object value) throws Exception {
            if (!parts().failuresKept()) {
                parts().chain().accept(value);
                return;
            }
            try {
                parts().chain().accept(value);
            } catch (OperatorException e) {
                parts().frame().onFailure(e, value);
            }
        }

        private Parts parts() {
            return CONSTANT == null ? parts : CONSTANT;
        }
    }
}
