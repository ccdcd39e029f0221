// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitReader;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** The hot loop of a source whose records are kept until they are acked. Made by a specialiser. */
public interface AckedLoop extends PollLoop {
    /** Sends a record again. */
    void again(Pending.Entry record) throws Exception;

    final class Polling implements AckedLoop {
        private static final @Nullable Parts CONSTANT = Specialiser.constant(MethodHandles.lookup(), Parts.class);

        private final Parts parts;
        private int done;

        public record Parts(Frame frame, Receiver chain, Anchor anchor, AckedSender sender)
                implements Specialiser.Parts<AckedLoop> {
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
                    long position = reader.position();
                    Object value = reader.poll();
                    if (value == null) {
                        break;
                    }
                    polled++;
                    parts().sender().send(value, position);
                    push(value);
                    parts().anchor().end();
                }
            } finally {
                done = polled;
            }
            return polled;
        }

        @Override
        public void again(Pending.Entry record) throws Exception {
            push(parts().sender().sendAgain(record));
            parts().anchor().end();
            if (!parts().frame().blocked) {
                parts().sender().sentAgain();
            }
        }

        private void push(Object value) throws Exception {
            try {
                parts().chain().accept(value);
            } catch (OperatorException e) {
                parts().frame().onFailure(e, value);
            }
        }

        private Parts parts() {
            return CONSTANT == null ? parts : CONSTANT;
        }

        @Override
        public int done() {
            return done;
        }
    }
}
