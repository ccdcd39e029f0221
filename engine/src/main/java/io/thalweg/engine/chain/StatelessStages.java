// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.PeekFunction;
import io.thalweg.run.KeyListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the receivers of one operator of a task that keeps no state, each before its successor. */
public record StatelessStages(String operator, Frame frame, Specialiser specialiser) {
    public Receiver map(MapFunction<Object, Object> function, Receiver next) {
        return specialiser.make(new Simple.Map.Parts(operator, frame, function, next));
    }

    public Receiver filter(FilterFunction<Object> function, Receiver next) {
        return specialiser.make(new Simple.Filter.Parts(operator, frame, function, next));
    }

    public Receiver peek(PeekFunction<Object> function, Receiver next) {
        return specialiser.make(new Simple.Peek.Parts(operator, frame, function, next));
    }

    /**
     * The receiver is a {@link Stage}.
     *
     * @param endsTurns false if what calls it could not stop where the turn has lasted too long
     */
    public Receiver flatMap(FlatMapFunction<Object, Object> function, boolean endsTurns, Receiver next) {
        return specialiser.make(new FlatMapStage.Parts(operator, frame, function, endsTurns, next));
    }

    /**
     * Rejects records without a key, even if the next operator does not need it: so a record is bad at any parallelism
     * or at none.
     */
    public Receiver hasKey(MapFunction<Object, Object> key, Receiver next) {
        return specialiser.make(new Simple.HasKey.Parts(operator, frame, key, next));
    }

    /** Looks at the keys of some of the records. */
    public Receiver sampling(KeySpec key, KeyListener.Samples samples, Receiver next) {
        return specialiser.make(new KeySampling.Parts(
                operator, frame, key.function(), key.type().codec(), samples, next));
    }

    /**
     * Passes each record to several receivers.
     *
     * @param copies where the record is one that its source reuses: all but the last branch get a copy
     */
    public Receiver fanOut(List<Receiver> branches, @Nullable Codec<Object> copies) {
        return specialiser.make(new FanOut.Parts(frame, branches, copies));
    }
}
