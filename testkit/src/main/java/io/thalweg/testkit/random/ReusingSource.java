// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Hands out the same object for every record of a split, refilled. */
record ReusingSource(List<List<Event>> records) implements Source<ReusingSource.Sheet> {
    /** The object. */
    static final class Sheet {
        String key = "";
        long time;
        long value;

        Event event() {
            return new Event(key, time, value);
        }

        Long timeOfEvent() {
            return time;
        }

        String keyOfEvent() {
            return key;
        }

        boolean passes() {
            return value % 3 != 1;
        }
    }

    @Override
    public String name() {
        return "reusing";
    }

    @Override
    public Type<Sheet> type() {
        return Type.of(Sheet.class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return IntStream.range(0, records.size()).mapToObj(Integer::toString).toList();
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public boolean reusesRecords() {
        return true;
    }

    @Override
    public SplitReader<Sheet> open(String split, SourceContext context) {
        List<Event> own = records.get(Integer.parseInt(split));
        Sheet sheet = new Sheet();
        return new SplitReader<>() {
            private int next;

            @Override
            public @Nullable Sheet poll() {
                if (next == own.size()) {
                    sheet.key = "spent";
                    return null;
                }
                Event event = own.get(next++);
                sheet.key = event.key();
                sheet.time = event.time();
                sheet.value = event.value();
                return sheet;
            }

            @Override
            public boolean finished() {
                return next == own.size();
            }

            @Override
            public long position() {
                return next;
            }

            @Override
            public void seek(long position) {
                next = (int) position;
            }
        };
    }
}
