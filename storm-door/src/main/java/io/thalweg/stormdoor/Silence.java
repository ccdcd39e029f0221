// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leads to a bolt that reads no stream, or only such that lead back, and sends nothing until the topology ends.
 *
 * @param handle null if it ends with the job
 */
record Silence<T>(Type<T> type, @Nullable HostHandle handle) implements Source<T> {
    @Override
    public String name() {
        return "nothing";
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("0");
    }

    @Override
    public SplitReader<T> open(String split, SourceContext context) {
        return new Reader<>(handle == null ? null : handle.host());
    }

    private record Reader<T>(@Nullable Host host) implements SplitReader<T> {
        @Override
        public @Nullable T poll() {
            return null;
        }

        @Override
        public boolean finished() {
            return host != null && host.stopping();
        }

        @Override
        public long position() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
