// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.queue.Batch;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** The hot loop behind a queue: pushes the records of a batch into the chain. Made by a specialiser. */
public interface DrainLoop {
    /** Pushes the records from {@code from} to {@code to}; returns the first it did not push, because an output has no room. */
    int run(Batch batch, int from, int to) throws Exception;

    final class Draining implements DrainLoop {
        private static final @Nullable Parts CONSTANT = Specialiser.constant(MethodHandles.lookup(), Parts.class);

        private final Parts parts;

        public record Parts(Frame frame, Receiver chain) implements Specialiser.Parts<DrainLoop> {
            @Override
            public Class<Draining> type() {
                return Draining.class;
            }
        }

        Draining(Parts parts) {
            this.parts = parts;
        }

        @Override
        public int run(Batch batch, int from, int to) throws Exception {
            int i = from;
            Object[] values = batch.values;
            Anchor anchor = parts().frame().anchor;
            if (batch.acked && anchor != null) {
                while (i < to && !parts().frame().blocked) {
                    if (batch.timed) {
                        parts().frame().time = batch.times[i];
                        parts().frame().stamp = batch.stamps[i];
                    }
                    anchor.begin(batch.roots[i], batch.ids[i]);
                    push(values[i++]);
                    anchor.end();
                }
            } else if (batch.timed) {
                long[] times = batch.times;
                long[] stamps = batch.stamps;
                while (i < to && !parts().frame().blocked) {
                    parts().frame().time = times[i];
                    parts().frame().stamp = stamps[i];
                    push(values[i++]);
                }
            } else {
                while (i < to && !parts().frame().blocked) {
                    push(values[i++]);
                }
            }
            return i;
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
    }
}
