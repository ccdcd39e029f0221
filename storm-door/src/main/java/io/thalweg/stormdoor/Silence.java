// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leads to a bolt that reads no stream, or only such that lead back, and sends nothing until the topology ends. */
record Silence(Handle handle) implements Source<Message> {
    @Override
    public String name() {
        return "nothing";
    }

    @Override
    public Type<Message> type() {
        return Message.TYPE;
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("0");
    }

    @Override
    public SplitReader<Message> open(String split, SourceContext context) {
        return new Reader(handle.host());
    }

    private record Reader(Host host) implements SplitReader<Message> {
        @Override
        public @Nullable Message poll() {
            return null;
        }

        @Override
        public boolean finished() {
            return host.stopping();
        }

        @Override
        public long position() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
