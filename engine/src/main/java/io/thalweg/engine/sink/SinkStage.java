// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.sink;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens, commits and closes the writer of one task's sink; the writing itself is {@link Write}. */
public final class SinkStage implements Stage {
    private final Sink<Object> sink;
    private final SinkContext context;
    private final Write write;

    /** What was written was saved at a barrier. */
    private boolean saved;

    public SinkStage(Sink<Object> sink, SinkContext context, Write write) {
        this.sink = sink;
        this.context = context;
        this.write = write;
    }

    /** The receiver of the sink. */
    public interface Write extends Receiver {
        void to(SinkWriter<Object> writer);

        @Nullable SinkWriter<Object> writer();
    }

    /**
     * Made by a specialiser, so that its call site is monomorphic. The writer is opened later than the chain is made, so no final
     * field can hold it; but the target of a call site is a constant to the JIT, which throws away what it compiled with another one.
     */
    public static final class Writing implements Write {
        private static final boolean COPY = MethodHandles.lookup().lookupClass().isHidden();

        private final String operator;
        private final Frame frame;
        private final MutableCallSite opened = new MutableCallSite(MethodType.methodType(SinkWriter.class));
        private @Nullable SinkWriter<Object> writer;

        public record Parts(String operator, Frame frame) implements Specialiser.Parts<Write> {
            @Override
            public Class<Writing> type() {
                return Writing.class;
            }
        }

        Writing(Parts parts) {
            operator = parts.operator();
            frame = parts.frame();
        }

        @Override
        @SuppressWarnings({"NullAway", "unchecked", "rawtypes"}) // opened before the first record
        public void accept(Object value) throws Exception {
            try {
                SinkWriter<Object> to = COPY ? (SinkWriter) opened.getTarget().invokeExact() : writer;
                to.write(value);
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
            }
        }

        @Override
        public void to(SinkWriter<Object> sink) {
            writer = sink;
            opened.setTarget(MethodHandles.constant(SinkWriter.class, sink));
        }

        @Override
        public @Nullable SinkWriter<Object> writer() {
            return writer;
        }
    }

    @Override
    public String operator() {
        return context.operator();
    }

    @Override
    public void open() throws Exception {
        SinkWriter<Object> writer = sink.open(context);
        write.to(writer);
        boolean keepsUp = sink.immediate() || writer instanceof CheckpointedWriter<?>;
        if (context.checkpoint() != SinkContext.NO_CHECKPOINTS && !keepsUp) {
            throw new ConnectorException(
                    "topology '" + context.topology() + "', operator '" + context.operator() + "': the sink "
                            + sink.name()
                            + " cannot continue from a checkpoint, so the guarantee would not hold; its writer is not a"
                            + " CheckpointedWriter");
        }
    }

    @Override
    public long dueMs() {
        SinkWriter<Object> writer = write.writer();
        return writer == null ? Long.MAX_VALUE : writer.dueMs();
    }

    @Override
    public void onClock(long epochMs) throws Exception {
        SinkWriter<Object> writer = write.writer();
        if (writer != null && writer.dueMs() <= epochMs) {
            writer.onClock(epochMs);
        }
    }

    private StateName state() {
        return new StateName(context.operator(), SavedState.WRITER);
    }

    @Override
    public void restoreOutput(Restored from) throws Exception {
        if (write.writer() instanceof CheckpointedWriter<?> writer) {
            List<byte[]> saved = new ArrayList<>();
            for (ByteReader each : from.share(state(), sink.name())) {
                saved.add(each.readBytes());
            }
            writer.restore(saved);
        }
    }

    @Override
    public void save(TaskState to) throws Exception {
        if (write.writer() instanceof CheckpointedWriter<?> writer) {
            to.whole(state(), sink.name(), writer.saveParts(to.checkpoint()));
            saved = true;
        }
    }

    @Override
    public void saveFinished(TaskState to) throws Exception {
        save(to);
    }

    @Override
    public void onCheckpoint(long completed) throws Exception {
        if (write.writer() instanceof CheckpointedWriter<?> writer) {
            writer.commit(completed);
        }
    }

    @Override
    public void prepare(boolean cancelled) throws Exception {
        SinkWriter<Object> writer = write.writer();
        if (writer != null && !(cancelled && saved)) {
            writer.prepare();
        }
    }

    @Override
    public void commit(boolean cancelled) throws Exception {
        SinkWriter<Object> writer = write.writer();
        if (writer == null) {
            return;
        }
        if (cancelled && saved) {
            return; // a restored job continues from what was saved
        }
        if (cancelled) {
            writer.cancelled();
        } else {
            writer.finish();
        }
    }

    @Override
    public void close() throws Exception {
        SinkWriter<Object> writer = write.writer();
        if (writer != null) {
            writer.close();
        }
    }
}
