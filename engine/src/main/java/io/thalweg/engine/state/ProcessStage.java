// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.Checkpointed;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.operator.Lifecycle;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.run.JobFailedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user's operator without keys: opening, time, ending. Each of its inputs has an entry. */
final class ProcessStage implements Stage {
    private static final String FINISHED_TASK = "finished task";

    private final Context context;
    private final Frame frame;
    private final Lifecycle<Object> operator;
    private final Emitter output;
    private boolean opened;

    /** This task had finished before the checkpoint, though others may not have. */
    private boolean finishedBefore;

    record Parts(Context context, Lifecycle<Object> operator, Emitter output) implements Specialiser.Parts<Stage> {
        @Override
        public Class<ProcessStage> type() {
            return ProcessStage.class;
        }
    }

    ProcessStage(ProcessStage.Parts parts) {
        context = parts.context();
        operator = parts.operator();
        output = parts.output();
        frame = context.frame;
    }

    /** The one input. */
    static final class Only implements Receiver {
        private final Context context;
        private final Operator<Object, Object> operator;
        private final Emitter output;
        private final @Nullable Codec<Object> copies;

        /** @param copies where a record may be one that its source reuses */
        record Parts(
                Context context,
                Operator<Object, Object> operator,
                Emitter output,
                @Nullable Codec<Object> copies) implements Specialiser.Parts<Receiver> {
            @Override
            public Class<Only> type() {
                return Only.class;
            }
        }

        Only(Only.Parts parts) {
            context = parts.context();
            operator = parts.operator();
            output = parts.output();
            copies = parts.copies();
        }

        @Override
        public void accept(Object value) throws Exception {
            try {
                operator.process(copies == null ? value : copies.copy(value), output);
                context.returned();
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            }
        }
    }

    /** One of two inputs. Such an operator begins a chain, so that its records are its own. */
    static final class OneOfTwo implements Receiver {
        private final Context context;
        private final boolean second;
        private final TwoInputOperator<Object, Object, Object> operator;
        private final Emitter output;

        record Parts(Context context, boolean second, TwoInputOperator<Object, Object, Object> operator, Emitter output)
                implements Specialiser.Parts<Receiver> {
            @Override
            public Class<OneOfTwo> type() {
                return OneOfTwo.class;
            }
        }

        OneOfTwo(OneOfTwo.Parts parts) {
            context = parts.context();
            second = parts.second();
            operator = parts.operator();
            output = parts.output();
        }

        @Override
        public void accept(Object value) throws Exception {
            try {
                if (second) {
                    operator.processSecond(value, output);
                } else {
                    operator.processFirst(value, output);
                }
                context.returned();
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            }
        }
    }

    /** Records that every task is handed, by which alone broadcast state changes. Such an operator begins a chain. */
    static final class OnBroadcast implements Receiver {
        private final Context context;
        private final BroadcastStates states;
        private final Operator<Object, Object> operator;
        private final Emitter output;

        record Parts(Context context, BroadcastStates states, Operator<Object, Object> operator, Emitter output)
                implements Specialiser.Parts<Receiver> {
            @Override
            public Class<OnBroadcast> type() {
                return OnBroadcast.class;
            }
        }

        OnBroadcast(OnBroadcast.Parts parts) {
            context = parts.context();
            states = parts.states();
            operator = parts.operator();
            output = parts.output();
        }

        @Override
        public void accept(Object value) throws Exception {
            context.leaveKey();
            states.changing(true);
            try {
                operator.process(value, output);
                context.returned();
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            } finally {
                states.changing(false);
            }
        }
    }

    /** Name, task, time: what an operator may ask. */
    static class Context implements OperatorContext {
        private final String name;
        private final int task;
        private final int parallelism;
        final boolean timed;
        final Frame frame;
        final @Nullable BroadcastStates broadcasts;
        long watermark = NO_TIME;
        boolean opening = true;

        /**
         * @param timed false if records have no event time, whatever the frame says of others in this task
         * @param broadcasts null if the operator has no broadcast state
         */
        Context(
                String name,
                int task,
                int parallelism,
                boolean timed,
                Frame frame,
                @Nullable BroadcastStates broadcasts) {
            this.broadcasts = broadcasts;
            this.name = name;
            this.task = task;
            this.parallelism = parallelism;
            this.timed = timed;
            this.frame = frame;
        }

        @Override
        public String operator() {
            return name;
        }

        @Override
        public int task() {
            return task;
        }

        @Override
        public int parallelism() {
            return parallelism;
        }

        @Override
        public long eventTime() {
            return timed ? frame.time : NO_TIME;
        }

        @Override
        public long stamp() {
            return timed ? frame.stamp : NO_TIME;
        }

        @Override
        public void countLate() {
            late(null);
        }

        @Override
        public void countLate(Object record) {
            late(record);
        }

        private void late(@Nullable Object record) {
            boolean known = timed && frame.time != NO_TIME;
            long reached = Math.max(frame.stamp, watermark); // the watermark is ahead where an input was idle
            frame.late(name, known ? reached - frame.time + 1 : 0, record);
        }

        @Override
        public void countBad(BadRecordException bad) {
            try {
                frame.bad(name, String.valueOf(bad.getMessage()), bad.bytes());
            } catch (RuntimeException e) {
                throw new Emitter.Downstream(frame, e); // the job is to fail, and not because of the operator
            }
        }

        @Override
        public <F, V> BroadcastState<F, V> broadcastState(String state, Type<F> field, Type<V> value) {
            if (broadcasts == null) {
                throw new IllegalStateException("broadcast state '" + state + "' is declared by an operator that is"
                        + " neither a BroadcastOperator nor a KeyedBroadcastOperator");
            }
            checkOpening(state);
            return broadcasts.declare(state, field, value);
        }

        final void checkOpening(String state) {
            if (!opening) {
                throw new IllegalStateException("state '" + state + "' is declared too late: do it in open");
            }
        }

        /** What follows belongs to no key. */
        void leaveKey() {}

        @Override
        public long watermark() {
            return watermark;
        }

        @Override
        public ConnectionReports connections() {
            return frame.connections.apply(name);
        }

        /** Without event time, time stands still until all input has come. */
        boolean advance(long to) {
            if (!timed && to != Long.MAX_VALUE) {
                return false;
            }
            watermark = to;
            return true;
        }

        /** Without event time, time stands still again after the end of one round of a loop. */
        void endRound() {
            if (!timed) {
                watermark = NO_TIME;
            }
        }

        void save(TaskState to) {
            if (broadcasts != null) {
                broadcasts.save(to);
            }
        }

        /** Time is where it was at the checkpoint. */
        void restore(Restored from) {
            if (timed && frame.watermark > Batch.IDLE) {
                watermark = frame.watermark;
            }
            if (broadcasts != null) {
                broadcasts.restore(from);
            }
        }

        /** A user's operator has returned: it may have caught what failed further down the chain. */
        void returned() {
            if (frame.failedBehind != null) {
                throw new Emitter.Downstream(frame, frame.failedBehind);
            }
        }

        /** What a user's operator threw, or what one further down the chain did. */
        void onThrown(Throwable thrown) throws Exception {
            Throwable behind = frame.failedBehind;
            frame.failedBehind = null;
            boolean named = !(behind instanceof RuntimeException) || behind instanceof JobFailedException;
            if (named && behind instanceof Exception failure) {
                throw failure;
            }
            frame.onThrown(name, behind == null ? thrown : behind);
        }
    }

    @Override
    public String operator() {
        return context.operator();
    }

    @Override
    public void open() throws Exception {
        opened = true;
        try {
            operator.open(context);
        } catch (Exception e) {
            throw new OperatorException(context.operator(), frame.split, frame.offset, e);
        }
        context.opening = false;
    }

    @Override
    public boolean advance(long watermark) {
        context.advance(watermark);
        return true;
    }

    @Override
    public void endRound() {
        context.endRound();
    }

    private StateName state() {
        return new StateName(context.operator(), "operator");
    }

    @Override
    public void save(TaskState to) throws Exception {
        context.save(to);
        if (finishedBefore) {
            saveFinishedTask(to);
        }
        if (operator instanceof Checkpointed checkpointed) {
            to.whole(state(), operator.getClass().getSimpleName()).writeBytes(checkpointed.save());
        }
    }

    /** One task saves broadcast state for all: it must do so also if it has finished and others have not. */
    @Override
    public void saveFinished(TaskState to) {
        context.save(to);
        if (!(operator instanceof Checkpointed)) {
            saveFinishedTask(to);
        }
    }

    private void saveFinishedTask(TaskState to) {
        ByteWriter out = to.whole(new StateName(context.operator(), FINISHED_TASK), FINISHED_TASK);
        out.writeVarLong(context.task());
        out.writeVarLong(context.parallelism());
    }

    @Override
    public void restore(Restored from) throws Exception {
        context.restore(from);
        for (ByteReader each : from.whole(new StateName(context.operator(), FINISHED_TASK), FINISHED_TASK)) {
            finishedBefore |= each.readVarLong() == context.task() && each.readVarLong() == context.parallelism();
        }
        if (operator instanceof Checkpointed checkpointed) {
            List<byte[]> saved = new ArrayList<>();
            for (ByteReader each : from.share(state(), operator.getClass().getSimpleName())) {
                saved.add(each.readBytes());
            }
            checkpointed.restore(saved);
        }
    }

    @Override
    public boolean finish() throws Exception {
        if (finishedBefore) {
            return true;
        }
        frame.time = OperatorContext.NO_TIME;
        frame.stamp = OperatorContext.NO_TIME;
        try {
            operator.finish(output);
            context.returned();
        } catch (Throwable thrown) {
            context.onThrown(thrown);
        }
        return true;
    }

    @Override
    public void close() throws Exception {
        if (opened) {
            operator.close();
        }
    }
}
