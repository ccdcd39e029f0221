// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitReader;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;

/** The hot loop of a source: polls a split and pushes the records into the chain. Made by a specialiser. */
public interface PollLoop {
    /** Polls up to {@code limit} records; fewer if there is none now or an output has no room. */
    int run(SplitReader<Object> reader, int limit) throws Exception;

    /** How many records a run passed on before it threw. */
    int done();

    final class Polling implements PollLoop {
        private final Frame frame;
        private final Receiver chain;
        private int done;

        public record Parts(Frame frame, Receiver chain) implements Specialiser.Parts<PollLoop> {
            @Override
            public Class<Polling> type() {
                return Polling.class;
            }
        }

        Polling(Parts parts) {
            frame = parts.frame();
            chain = parts.chain();
        }

        @Override
        public int run(SplitReader<Object> reader, int limit) throws Exception {
            int polled = 0;
            try {
                while (polled < limit && !frame.blocked) {
                    Object value = reader.poll();
                    if (value == null) {
                        break;
                    }
                    polled++;
                    try {
                        chain.accept(value);
                    } catch (OperatorException e) {
                        frame.onFailure(e, value);
                    }
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
    }
}
