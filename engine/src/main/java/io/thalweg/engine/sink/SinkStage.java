// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.sink;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Stage;
import org.jspecify.annotations.Nullable;

/** Opens, commits and closes the writer of one task's sink; the writing itself is {@link Write}. */
public final class SinkStage implements Stage {
    private final Sink<Object> sink;
    private final SinkContext context;
    private final Write write;

    public SinkStage(Sink<Object> sink, SinkContext context, Write write) {
        this.sink = sink;
        this.context = context;
        this.write = write;
    }

    /** Where records enter the sink. */
    public interface Write extends Receiver {
        void to(SinkWriter<Object> writer);

        @Nullable SinkWriter<Object> writer();
    }

    /** Made by a specialiser, so that its call meets one writer only. */
    public static final class Writing implements Write {
        private final String operator;
        private final Frame frame;
        private @Nullable SinkWriter<Object> writer;

        public Writing(String operator, Frame frame) {
            this.operator = operator;
            this.frame = frame;
        }

        @Override
        @SuppressWarnings("NullAway") // opened before the first record
        public void accept(Object value) throws Exception {
            try {
                writer.write(value);
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
            }
        }

        @Override
        public void to(SinkWriter<Object> opened) {
            writer = opened;
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
        write.to(sink.open(context));
    }

    @Override
    public void commit(boolean cancelled) throws Exception {
        SinkWriter<Object> writer = write.writer();
        if (writer == null) {
            return;
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
