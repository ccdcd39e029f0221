// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes to Python and comes back, in which order. */
@Timeout(900)
final class PythonOperatorTest {
    enum Colour {
        RED,
        GREEN
    }

    record Inner(String name, int number, @Nullable Inner inner) {}

    record Pair<A, B>(A first, B second) {}

    record Values(
            boolean truth,
            byte small,
            short shorter,
            int whole,
            long wide,
            float single,
            double real,
            @Nullable Long maybe,
            @Nullable String text,
            Colour colour,
            BigInteger big,
            BigDecimal decimal,
            Instant at,
            LocalDate day,
            Duration span,
            UUID id,
            Inner inner,
            List<Inner> list,
            Set<Long> set,
            Map<String, List<Double>> map,
            Optional<String> optional,
            Pair<String, Long> pair) {}

    private final long seed = Long.getLong("thalweg.seed", System.nanoTime() & 0xffffff);
    private final Random random = new Random(seed);

    @TempDir
    private Path folder;

    private String text() {
        return switch (random.nextInt(500)) {
            case 0 -> "x".repeat(random.nextInt(100_000));
            case 1, 2, 3 -> "y".repeat(random.nextInt(400));
            case 4, 5, 6 -> "";
            case 7, 8, 9 -> "é€😀".repeat(random.nextInt(30));
            default -> Long.toString(random.nextLong(), 36);
        };
    }

    private long number() {
        return random.nextLong() >> random.nextInt(64);
    }

    private Inner inner(int deep) {
        return new Inner(text(), random.nextInt(), deep == 0 ? null : inner(deep - 1));
    }

    private <T> List<T> several(java.util.function.Supplier<T> each) {
        return Stream.generate(each)
                .limit(random.nextInt(random.nextInt(10) == 0 ? 20 : 4))
                .toList();
    }

    private Values values() {
        Map<String, List<Double>> map = new LinkedHashMap<>();
        several(this::text).forEach(key -> map.put(key, several(random::nextDouble)));
        return new Values(
                random.nextBoolean(),
                (byte) random.nextInt(),
                (short) random.nextInt(),
                random.nextInt(),
                number(),
                random.nextFloat(),
                Double.longBitsToDouble(random.nextLong()),
                random.nextBoolean() ? null : number(),
                random.nextBoolean() ? null : text(),
                Colour.values()[random.nextInt(2)],
                new BigInteger(64, random),
                new BigDecimal(new BigInteger(200, random), random.nextInt(40)),
                Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
                LocalDate.ofEpochDay(random.nextInt(1_000_000)),
                Duration.ofNanos(random.nextLong()),
                new UUID(random.nextLong(), random.nextLong()),
                inner(random.nextInt(4)),
                several(() -> inner(1)),
                Set.copyOf(several(this::number)),
                map,
                random.nextBoolean() ? Optional.empty() : Optional.of(text()),
                new Pair<>(text(), number()));
    }

    private <T> List<T> same(Type<T> type, List<T> rows, RunSettings settings) throws Exception {
        Topology topology = Topology.named("same");
        CollectSink<T> sink = CollectSink.of(type);
        Python.operator(Jobs.script(folder, "rules.py"), "same")
                .map(topology.from(Sources.of(type, rows)), type)
                .to(sink);
        Jobs.start(topology, settings).await();
        return sink.records();
    }

    @Test
    void shouldReturnWhatItWasSent() throws Exception {
        List<Values> rows = Stream.generate(this::values).limit(300).toList();

        assertThat(same(Type.of(Values.class), rows, RunSettings.defaults().withParallelism(1)))
                .as("-Dthalweg.seed=%d", seed)
                .containsExactlyElementsOf(rows);
    }

    @Test
    void shouldReturnBytes() throws Exception {
        List<byte[]> rows = new ArrayList<>();
        for (int size : new int[] {0, 1, 255, 256, 65_535, 65_536, 300_000}) {
            byte[] bytes = new byte[size];
            random.nextBytes(bytes);
            rows.add(bytes);
        }

        List<byte[]> returned =
                same(Type.of(byte[].class), rows, RunSettings.defaults().withParallelism(1));

        assertThat(returned).usingElementComparator(Arrays::compare).containsExactlyElementsOf(rows);
    }

    @Test
    void shouldReturnARowOf50MB() throws Exception {
        Topology topology = Topology.named("large");
        CollectSink<String> sink = CollectSink.of(String.class);
        Python.operator(Jobs.script(folder, "rules.py"), "same")
                .map(topology.from(Sources.generate(3, i -> "x".repeat(i == 1 ? 50_000_000 : 1))), String.class)
                .to(sink);
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();

        assertThat(sink.records().stream().map(String::length)).containsExactly(1, 50_000_000, 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 512", "3, 7", "2, 1"})
    void shouldKeepTheOrder(int processes, int batch) throws Exception {
        Topology topology = Topology.named("order");
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Python.operator(Jobs.script(folder, "rules.py"), "same")
                .processes(processes)
                .batch(batch)
                .map(topology.from(Sources.generate(3_000, i -> i)), Long.class)
                .to(sink);
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();

        assertThat(sink.records())
                .containsExactlyElementsOf(LongStream.range(0, 3_000).boxed().toList());
    }

    /** A batch ends after a mebibyte. */
    @Test
    void shouldSendManyMebibytesThroughOneProcess() throws Exception {
        Topology topology = Topology.named("many");
        CollectSink<String> sink = CollectSink.of(String.class);
        Python.operator(Jobs.script(folder, "rules.py"), "same")
                .batch(4_000)
                .map(topology.from(Sources.generate(5_000, i -> i + "x".repeat(1_000))), String.class)
                .to(sink);
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();

        assertThat(sink.records())
                .containsExactlyElementsOf(LongStream.range(0, 5_000)
                        .mapToObj(i -> i + "x".repeat(1_000))
                        .toList());
    }

    @Test
    void shouldImportModulesThatAreSentWithTheJob() throws Exception {
        Path model = Files.createDirectory(folder.resolve("model"));
        Jobs.source(model, "__init__.py", "from model.limits import LIMIT\n");
        Jobs.source(model, "limits.py", "LIMIT = 40\n");
        Path more = Jobs.source(folder, "more.py", "ONE = 1\n");
        Path script = Jobs.source(
                folder, "job.py", "import model\nimport more\n\ndef add(n):\n    return n + model.LIMIT + more.ONE\n");
        Topology topology = Topology.named("modules");
        CollectSink<Long> sink = CollectSink.of(Long.class);
        PythonOperator operator = Python.operator(script, "add").with(model, more);
        Files.delete(script); // what was read is sent
        operator.map(topology.from(Sources.of(1L)), Long.class).to(sink);
        Jobs.start(topology, RunSettings.defaults()).await();

        assertThat(sink.records()).containsExactly(42L);
    }

    @Test
    void shouldRefuseTwoFilesThatAreOneModule() throws Exception {
        Path script = Jobs.source(folder, "job.py", "import rates\n\ndef add(n):\n    return n + rates.RATE\n");
        Path one = Jobs.source(Files.createDirectory(folder.resolve("one")), "rates.py", "RATE = 1\n");
        Path two = Jobs.source(Files.createDirectory(folder.resolve("two")), "rates.py", "RATE = 2\n");
        PythonOperator operator = Python.operator(script, "add").with(one, one);

        assertThatThrownBy(() -> operator.with(two))
                .isInstanceOf(ConnectorException.class)
                .hasMessage(one + " and " + two
                        + " are both module 'rates' of Python; rename one, or put it into a package");
    }

    @Test
    void shouldEndItsProcesses() throws Exception {
        assertThat(same(Type.of(Long.class), List.of(1L), RunSettings.defaults().withParallelism(2)))
                .hasSize(1);
        assertThat(Jobs.children()).isEmpty();
    }

    @Test
    void shouldRefuseTypesThatPythonHasNoValuesFor() {
        Topology topology = Topology.named("types");
        PythonOperator operator = Python.operator(Jobs.script(folder, "rules.py"), "same");
        var rows = topology.from(Sources.of(1L));
        record Bad(String name, Thread thread) {}

        assertThatThrownBy(() -> operator.map(rows, Bad.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("Bad.thread: a result of Python cannot be a Thread");
    }
}
