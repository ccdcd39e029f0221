// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitReader;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;

/** The hot loop of a source whose records are kept until they are acked. Made by a specialiser. */
public interface AckedLoop extends PollLoop {
    /** Sends a record again. */
    void again(Pending.Entry record) throws Exception;

    final class Polling implements AckedLoop {
        private final Frame frame;
        private final Receiver chain;
        private final Anchor anchor;
        private final AckedSender sender;
        private int done;

        public record Parts(Frame frame, Receiver chain, Anchor anchor, AckedSender sender)
                implements Specialiser.Parts<AckedLoop> {
            @Override
            public Class<Polling> type() {
                return Polling.class;
            }
        }

        Polling(Parts parts) {
            frame = parts.frame();
            chain = parts.chain();
            anchor = parts.anchor();
            sender = parts.sender();
        }

        @Override
        public int run(SplitReader<Object> reader, int limit) throws Exception {
            int polled = 0;
            try {
                while (polled < limit && !frame.blocked) {
                    long position = reader.position();
                    Object value = reader.poll();
                    if (value == null) {
                        break;
                    }
                    polled++;
                    sender.send(value, position);
                    push(value);
                    anchor.end();
                }
            } finally {
                done = polled;
            }
            return polled;
        }

        @Override
        public void again(Pending.Entry record) throws Exception {
            push(sender.sendAgain(record));
            anchor.end();
            if (!frame.blocked) {
                sender.sentAgain();
            }
        }

        private void push(Object value) throws Exception {
            try {
                chain.accept(value);
            } catch (OperatorException e) {
                frame.onFailure(e, value);
            }
        }

        @Override
        public int done() {
            return done;
        }
    }
}
