// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.Codec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream that is used several times: each use gets the record. */
final class FanOut implements Receiver {
    private final Frame frame;
    private final Receiver[] branches;
    private final @Nullable Codec<Object> copies;

    /** @param copies where the record is one that its source reuses: all but the last branch get a copy */
    record Parts(
            Frame frame, List<Receiver> branches, @Nullable Codec<Object> copies)
            implements Specialiser.Parts<Receiver> {
        @Override
        public Class<FanOut> type() {
            return FanOut.class;
        }
    }

    FanOut(Parts parts) {
        frame = parts.frame();
        branches = parts.branches().toArray(new Receiver[0]); // a copied class has no lambdas
        copies = parts.copies();
    }

    @Override
    public void accept(Object value) throws Exception {
        long time = frame.time;
        long stamp = frame.stamp;
        int last = branches.length - 1;
        for (int i = 0; i <= last; i++) {
            frame.time = time; // a branch may have changed it
            frame.stamp = stamp;
            branches[i].accept(copies == null || i == last ? value : copies.copy(value));
        }
    }
}
