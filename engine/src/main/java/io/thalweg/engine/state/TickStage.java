// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.graph.Ticks;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Stage;
import io.thalweg.run.Clock;
import org.jspecify.annotations.Nullable;

/** Calls a user's operator at its interval, until the input ends. A {@link ProcessStage} does the rest for it. */
final class TickStage implements Stage {
    private final ProcessStage.Context context;
    private final Frame frame;
    private final TickingOperator<Object, Object> operator;
    private final Emitter output;
    private final Clock clock;
    private @Nullable Ticks ticks;

    TickStage(ProcessStage.Context context, TickingOperator<Object, Object> operator, Emitter output, Clock clock) {
        this.context = context;
        this.operator = operator;
        this.output = output;
        this.clock = clock;
        frame = context.frame;
    }

    @Override
    public String operator() {
        return context.operator();
    }

    @Override
    public void open() {
        ticks = new Ticks(operator, clock.epochMs());
    }

    @Override
    public long dueMs() {
        return ticks == null ? Long.MAX_VALUE : ticks.dueMs();
    }

    @Override
    public void onClock(long epochMs) throws Exception {
        if (ticks == null || epochMs < ticks.dueMs() || frame.blocked) {
            return;
        }
        frame.time = OperatorContext.NO_TIME;
        frame.stamp = OperatorContext.NO_TIME;
        try {
            operator.onTick(ticks.take(epochMs), output);
            context.returned();
        } catch (Throwable thrown) {
            context.onThrown(thrown);
        }
    }

    @Override
    public boolean finish() {
        ticks = null;
        return true;
    }
}
