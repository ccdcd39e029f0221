// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two splits, one of which never has a record and never ends. */
record SilentSplit() implements Source<Long> {
    @Override
    public String name() {
        return "one silent split of two";
    }

    @Override
    public Type<Long> type() {
        return Type.of(Long.class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("talks", "silent");
    }

    @Override
    public SplitReader<Long> open(String split, SourceContext context) throws Exception {
        return split.equals("talks")
                ? Sources.generate(Long.MAX_VALUE / 4, index -> index)
                        .rate(1_000)
                        .open("0", context)
                : new Silent();
    }

    private static final class Silent implements SplitReader<Long> {
        @Override
        public @Nullable Long poll() {
            return null;
        }

        @Override
        public boolean finished() {
            return false;
        }

        @Override
        public long position() {
            return 0;
        }
    }
}
