// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Telecom records as JSON, rendered before anything is measured. */
final class LinesSource implements Source<byte[]> {
    private static final long serialVersionUID = 1L;

    private static final class Lines {
        static byte[][] all = {};
    }

    /** Renders the lines that all readers hand out from now on. */
    static void render(TelecomSettings settings) throws Exception {
        SplitReader<byte[]> reader = TelecomSource.jsonLines(settings).open("part 1 of 1", new Unpaced());
        List<byte[]> lines = new ArrayList<>();
        while (!reader.finished()) {
            byte[] line = reader.poll();
            if (line != null) {
                lines.add(line);
            }
        }
        Lines.all = lines.toArray(new byte[0][]);
    }

    private static final class Unpaced implements SourceContext {
        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public void bad(BadRecord record) {
            throw new IllegalStateException(record.toString());
        }
    }

    @Override
    public String name() {
        return "lines";
    }

    @Override
    public Type<byte[]> type() {
        return Type.of(byte[].class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("all");
    }

    @Override
    public SplitReader<byte[]> open(String split, SourceContext context) {
        byte[][] lines = Lines.all;
        return new SplitReader<>() {
            private int next;

            @Override
            public byte @Nullable [] poll() {
                return next == lines.length ? null : lines[next++];
            }

            @Override
            public boolean finished() {
                return next == lines.length;
            }

            @Override
            public long position() {
                return next;
            }
        };
    }
}
