// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Generator;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Rows a second through one task. Not a test: run it by hand, with nothing else running. Arguments: file of Python source
 * (speed.py), interpreter, rows, processes, functions. Those of record batches get rows with 1,000 bytes of text, and those with state
 * a stream with 1,000 keys, or {@code -Dkeys=N}.
 */
final class PythonSpeed {
    record Quake(long id, String place, double mag, double depth) {}

    record Score(long id, double score) {}

    record Wide(String text) {}

    private static final int ROUNDS = 7;
    private static final Wide[] MADE = IntStream.range(1_000, 2_000)
            .mapToObj(i -> new Wide(Integer.toString(i).repeat(250)))
            .toArray(Wide[]::new);
    private static final AtomicLong FIRST = new AtomicLong();

    private PythonSpeed() {}

    public static void main(String[] arguments) throws Exception {
        long rows = Long.parseLong(arguments[2]);
        for (String function : Arrays.copyOfRange(arguments, 4, arguments.length)) {
            double[] rates = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                rates[round] = rate(arguments, function, rows);
            }
            Arrays.sort(rates);
            System.out.printf(
                    "%s, %s processes: %.0f rows/s (%.0f to %.0f)%n",
                    function, arguments[3], rates[ROUNDS / 2], rates[0], rates[ROUNDS - 1]);
        }
    }

    private static double rate(String[] arguments, String function, long rows) throws Exception {
        return switch (function) {
            case "length", "length_all" -> wide(arguments, function, Integer.class, rows);
            case "same" -> wide(arguments, function, Wide.class, rows);
            default -> narrow(arguments, function, rows);
        };
    }

    private static <R> double wide(String[] arguments, String function, Class<R> result, long rows) throws Exception {
        Topology topology = Topology.named("speed");
        FIRST.set(0);
        Stream<Wide> source = topology.from(
                        Sources.generate(rows, Type.of(Wide.class), i -> MADE[(int) (i % MADE.length)]))
                .peek(row -> FIRST.compareAndSet(0, System.nanoTime()));
        Python.operator(Path.of(arguments[0]), function)
                .interpreter(arguments[1])
                .processes(Integer.parseInt(arguments[3]))
                .batch(Integer.getInteger("rows", 2_048))
                .inFlight(Integer.getInteger("inFlight", 16_384))
                .map(source, result)
                .filter(each -> false)
                .to(io.thalweg.testkit.CollectSink.of(result));
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
        return rows * 1e9 / (System.nanoTime() - FIRST.get());
    }

    private static double narrow(String[] arguments, String function, long rows) throws Exception {
        Generator<Quake> quakes = Sources.generate(
                rows, Type.of(Quake.class), i -> new Quake(i, "81km WNW of Skagway, Alaska", i % 90 / 10.0, i % 700));
        Topology topology = Topology.named("speed");
        FIRST.set(0);
        Stream<Quake> source = topology.from(quakes).peek(quake -> FIRST.compareAndSet(0, System.nanoTime()));
        PythonOperator operator = Python.operator(Path.of(arguments[0]), function)
                .interpreter(arguments[1])
                .processes(Integer.parseInt(arguments[3]));
        long keys = Long.getLong("keys", 1_000);
        (function.contains("by_key")
                        ? operator.map(source.keyBy(quake -> quake.id() % keys), Score.class)
                        : operator.map(source, Score.class))
                .to(io.thalweg.testkit.CollectSink.of(Score.class));
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
        return rows * 1e9 / (System.nanoTime() - FIRST.get());
    }
}
