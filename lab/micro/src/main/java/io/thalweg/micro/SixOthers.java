// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Six pipelines that share nothing but the engine: six classes of sources, of functions, of sinks, of records. What ran
 * before in a JVM decides how the JIT compiles what runs after, and in production something always ran before. They run
 * with the engine's copies and with its shared classes, so that both have a past.
 */
final class SixOthers {
    private static final int RECORDS = 2_000_000;

    private SixOthers() {}

    /** Source, map, filter or peek, sink. */
    static void fused() throws InterruptedException {
        for (boolean specialise : new boolean[] {true, false}) {
            RunSettings settings = Runs.narrow().withSpecialise(specialise);
            run(settings, new Longs(), s -> s.map(x -> x + 1).filter(x -> x >= 0), new LongSink());
            run(settings, new Ints(), s -> s.map(x -> x ^ 5).peek(x -> {}), new IntSink());
            run(settings, new Texts(), s -> s.map(x -> x.substring(1)).filter(x -> true), new TextSink());
            run(settings, new Pairs(), s -> s.map(x -> new Pair(x.b, (int) x.a)).peek(x -> {}), new PairSink());
            run(settings, new Doubles(), s -> s.map(x -> x * 2).map(x -> x - 1), new DoubleSink());
            run(settings, new Bytes(), s -> s.map(byte[]::clone).filter(x -> x.length > 0), new ByteSink());
        }
    }

    /** Source, event time, key, tumbling window with two sums, sink. */
    static void keyed() throws InterruptedException {
        for (boolean specialise : new boolean[] {true, false}) {
            RunSettings settings = Runs.narrow().withSpecialise(specialise);
            keyed(settings, new Longs(), x -> x & 1023);
            keyed(settings, new Ints(), x -> x & 1023);
            keyed(settings, new Texts(), x -> x);
            keyed(settings, new Pairs(), x -> new Pair(x.a & 1023, 7));
            keyed(settings, new Doubles(), x -> new Part(x.longValue() & 1023));
            keyed(settings, new Bytes(), x -> new Head(x[0], x[1]));
        }
    }

    record Pair(long a, int b) {}

    record Part(double share) {}

    record Head(byte first, byte second) {}

    record Sums(long a, long b) {}

    private interface Shape<T> {
        Stream<T> of(Stream<T> stream);
    }

    private static <T> void run(RunSettings settings, Source<T> source, Shape<T> shape, Sink<T> sink)
            throws InterruptedException {
        Topology topology = Topology.named("other");
        shape.of(topology.from(source)).to(sink);
        Runs.run(topology, settings);
    }

    private static <T, K> void keyed(RunSettings settings, Source<T> source, MapFunction<T, K> key)
            throws InterruptedException {
        Topology topology = Topology.named("other");
        topology.from(source)
                .eventTime(x -> 0L, Duration.ZERO)
                .keyBy(key)
                .window(Windows.tumbling(Duration.ofSeconds(1)))
                .aggregate(Aggregates.into(Sums.class, Aggregates.count(), Aggregates.sum(x -> 2L)))
                .to(new AnySink<>());
        Runs.run(topology, settings);
    }

    private abstract static class Numbered<T> implements Source<T> {
        private static final long serialVersionUID = 1L;

        private final Class<T> type;

        Numbered(Class<T> type) {
            this.type = type;
        }

        @Override
        public String name() {
            return "numbered";
        }

        @Override
        public Type<T> type() {
            return Type.of(type);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        abstract SplitReader<T> reader();

        @Override
        public SplitReader<T> open(String split, SourceContext context) {
            return reader();
        }
    }

    private abstract static class Reader<T> implements SplitReader<T> {
        int next;

        @Override
        public boolean finished() {
            return next == RECORDS;
        }

        @Override
        public long position() {
            return next;
        }
    }

    private static final class Longs extends Numbered<Long> {
        private static final long serialVersionUID = 1L;

        Longs() {
            super(Long.class);
        }

        @Override
        SplitReader<Long> reader() {
            return new Reader<>() {
                @Override
                public @Nullable Long poll() {
                    return next == RECORDS ? null : (long) next++;
                }
            };
        }
    }

    private static final class Ints extends Numbered<Integer> {
        private static final long serialVersionUID = 1L;

        Ints() {
            super(Integer.class);
        }

        @Override
        SplitReader<Integer> reader() {
            return new Reader<>() {
                @Override
                public @Nullable Integer poll() {
                    return next == RECORDS ? null : next++;
                }
            };
        }
    }

    private static final class Texts extends Numbered<String> {
        private static final long serialVersionUID = 1L;

        private static final String[] WORDS = {"one", "two", "three", "four", "five", "six", "seven"};

        Texts() {
            super(String.class);
        }

        @Override
        SplitReader<String> reader() {
            return new Reader<>() {
                @Override
                public @Nullable String poll() {
                    return next == RECORDS ? null : WORDS[next++ % WORDS.length];
                }
            };
        }
    }

    private static final class Pairs extends Numbered<Pair> {
        private static final long serialVersionUID = 1L;

        Pairs() {
            super(Pair.class);
        }

        @Override
        SplitReader<Pair> reader() {
            return new Reader<>() {
                @Override
                public @Nullable Pair poll() {
                    return next == RECORDS ? null : new Pair(next++, 1);
                }
            };
        }
    }

    private static final class Doubles extends Numbered<Double> {
        private static final long serialVersionUID = 1L;

        Doubles() {
            super(Double.class);
        }

        @Override
        SplitReader<Double> reader() {
            return new Reader<>() {
                @Override
                public @Nullable Double poll() {
                    return next == RECORDS ? null : (double) next++;
                }
            };
        }
    }

    private static final class Bytes extends Numbered<byte[]> {
        private static final long serialVersionUID = 1L;

        Bytes() {
            super(byte[].class);
        }

        @Override
        SplitReader<byte[]> reader() {
            return new Reader<>() {
                @Override
                public byte @Nullable [] poll() {
                    return next == RECORDS ? null : new byte[] {(byte) next++, 1};
                }
            };
        }
    }

    private abstract static class Summing<T> implements Sink<T> {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return "summing";
        }

        abstract SinkWriter<T> writer();

        @Override
        public SinkWriter<T> open(SinkContext context) {
            return writer();
        }
    }

    private static final class LongSink extends Summing<Long> {
        private static final long serialVersionUID = 1L;

        @Override
        SinkWriter<Long> writer() {
            return new SinkWriter<>() {
                private long sum;

                @Override
                public void write(Long value) {
                    sum += value;
                }
            };
        }
    }

    private static final class IntSink extends Summing<Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        SinkWriter<Integer> writer() {
            return new SinkWriter<>() {
                private int most;

                @Override
                public void write(Integer value) {
                    most = Math.max(most, value);
                }
            };
        }
    }

    private static final class TextSink extends Summing<String> {
        private static final long serialVersionUID = 1L;

        @Override
        SinkWriter<String> writer() {
            return new SinkWriter<>() {
                private int length;

                @Override
                public void write(String value) {
                    length += value.length();
                }
            };
        }
    }

    private static final class PairSink extends Summing<Pair> {
        private static final long serialVersionUID = 1L;

        @Override
        SinkWriter<Pair> writer() {
            return new SinkWriter<>() {
                private long sum;

                @Override
                public void write(Pair value) {
                    sum += value.a + value.b;
                }
            };
        }
    }

    private static final class DoubleSink extends Summing<Double> {
        private static final long serialVersionUID = 1L;

        @Override
        SinkWriter<Double> writer() {
            return new SinkWriter<>() {
                private double sum;

                @Override
                public void write(Double value) {
                    sum += value;
                }
            };
        }
    }

    private static final class ByteSink extends Summing<byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        SinkWriter<byte[]> writer() {
            return new SinkWriter<>() {
                private int sum;

                @Override
                public void write(byte[] value) {
                    sum += value[0];
                }
            };
        }
    }

    private static final class AnySink<T> extends Summing<T> {
        private static final long serialVersionUID = 1L;

        @Override
        SinkWriter<T> writer() {
            return new SinkWriter<>() {
                private int count;

                @Override
                public void write(T value) {
                    count++;
                }
            };
        }
    }
}
