// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A source of the numbers from 0, in two splits, that checks acks: each record must be confirmed exactly once.
 *
 * @param records how many numbers
 * @param blocking as {@link Source#blocking}
 * @param confirmed the positions that were confirmed
 * @param late true if one was confirmed twice, or after its reader was closed
 */
public record ConfirmedSource(long records, boolean blocking, Set<Long> confirmed, AtomicBoolean late)
        implements Source<Long>, Serializable {
    /** A source of which nothing was confirmed yet. */
    public static ConfirmedSource of(long records, boolean blocking) {
        return new ConfirmedSource(records, blocking, ConcurrentHashMap.newKeySet(), new AtomicBoolean());
    }

    @Override
    public String name() {
        return "confirmed";
    }

    @Override
    public Type<Long> type() {
        return Type.of(Long.class);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("even", "odd");
    }

    @Override
    public SplitReader<Long> open(String split, SourceContext context) {
        return new ConfirmedReader<>() {
            private long at = split.equals("even") ? 0 : 1;
            private boolean closed;

            @Override
            public @Nullable Long poll() {
                at += 2;
                return at - 2 < records ? at - 2 : null;
            }

            @Override
            public boolean finished() {
                return true;
            }

            @Override
            public long position() {
                return at;
            }

            @Override
            public synchronized void confirm(long position) {
                if (closed || !confirmed.add(position)) {
                    late.set(true);
                }
            }

            @Override
            public synchronized void close() {
                closed = true;
            }
        };
    }
}
