// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.OperatorContext;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The function in one task: its rows go to the task's processes. */
final class ProcessOperator<T, R> implements AsyncOperator<T, R> {
    private final Task task;
    private @Nullable Exchange exchange;

    ProcessOperator(Task task) {
        this.task = task;
    }

    @Override
    public void open(OperatorContext context) throws Exception {
        Exchange opened = new Exchange(context.operator(), task, context.connections());
        exchange = opened;
        var unused = opened.open();
    }

    @Override
    @SuppressWarnings("unchecked") // the shape makes values of the type
    public CompletionStage<? extends @Nullable R> apply(T row) {
        Exchange open = exchange;
        if (open == null) {
            throw new IllegalStateException("not open");
        }
        return (CompletionStage<? extends @Nullable R>) open.call(row, null, Call.TIMELESS);
    }

    @Override
    public void close() throws InterruptedException {
        Exchange open = exchange;
        if (open != null) {
            open.close();
        }
    }
}
