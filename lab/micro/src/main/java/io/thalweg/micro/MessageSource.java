// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sender: messages 0, 1, 2 …, each made anew. */
record MessageSource(long count) implements Source<Message> {
    @Override
    public String name() {
        return "sender";
    }

    @Override
    public Type<Message> type() {
        return Type.of(Message.class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("all");
    }

    @Override
    public SplitReader<Message> open(String split, SourceContext context) {
        return new Sender(count);
    }

    static final class Sender implements SplitReader<Message> {
        private final byte[] template = new byte[Message.BYTES];
        private final long end;
        private long next;

        Sender(long end) {
            this.end = end;
        }

        @Override
        public @Nullable Message poll() {
            return next == end ? null : Message.first(template, next++);
        }

        @Override
        public boolean finished() {
            return next == end;
        }

        @Override
        public long position() {
            return next;
        }
    }
}
