// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.CheckpointedTwoInputOperator;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators with two inputs in jobs that go on from a checkpoint, with other tasks, and in those that must not. */
@Timeout(300)
final class ConnectRestoreTest {
    private static final long GOODS = 4_000;
    private static final long MOVES = 6_000;
    private static final long KEYS = 97;

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    record Good(long shelf, long at) implements Serializable {}

    record Move(long pieces, long shelf, long at) implements Serializable {}

    record Stock(long shelf, long from, long goods, long pieces) implements Serializable {}

    private RunSettings settings(int parallelism) {
        return RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(0)
                .withSteps(10, 2, 16)
                .withWarnings(warnings::add)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).restoringLatest());
    }

    private static Stream<Good> goods(Topology topology) {
        return topology.from(Sources.generate(GOODS, i -> new Good(i % KEYS, i)).splitInto(3))
                .name("goods")
                .eventTime(Good::at, Duration.ofMillis(20));
    }

    private static Stream<Move> moves(Topology topology, String name) {
        return topology.from(Sources.generate(MOVES, i -> new Move(i, i * 11 % KEYS, i * 2 / 3))
                        .splitInto(2))
                .name(name);
    }

    private static Stream<Move> moves(Topology topology) {
        return moves(topology, "moves").eventTime(Move::at, Duration.ofMillis(20));
    }

    /** Every half second of event time what both inputs brought for each shelf: in a value, a list and a map. */
    static final class Shelves implements KeyedTwoInputOperator<Long, Good, Move, Stock> {
        private static final long SPAN = 500;

        private @Nullable KeyedContext context;
        private @Nullable ValueState<Long> first;
        private @Nullable ListState<Good> goods;
        private @Nullable MapState<Long, Long> pieces;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            first = opened.state("first", Type.of(Long.class));
            goods = opened.listState("goods", Type.of(Good.class));
            pieces = opened.mapState("pieces", Type.of(Long.class), Type.of(Long.class));
        }

        private static <T> T opened(@Nullable T part) {
            if (part == null) {
                throw new IllegalStateException("not open");
            }
            return part;
        }

        @Override
        public void processFirst(Long shelf, Good good, Output<Stock> output) {
            opened(goods).add(good);
            touched(good.at());
        }

        @Override
        public void processSecond(Long shelf, Move move, Output<Stock> output) {
            long span = move.at() / SPAN * SPAN;
            Long before = opened(pieces).get(span);
            opened(pieces).put(span, move.pieces() + (before == null ? 0 : before));
            touched(move.at());
        }

        private void touched(long at) {
            opened(first).set(at);
            opened(context).setTimer(at / SPAN * SPAN + SPAN);
        }

        @Override
        public void onTimer(Long shelf, long time, Output<Stock> output) {
            long from = time - SPAN;
            List<Good> later = new ArrayList<>();
            long count = 0;
            for (Good good : opened(goods)) {
                if (good.at() < time) {
                    count++;
                } else {
                    later.add(good);
                }
            }
            opened(goods).set(later);
            Long moved = opened(pieces).get(from);
            opened(pieces).remove(from);
            if (opened(first).get() == null) {
                throw new IllegalStateException("no record came for shelf " + shelf);
            }
            output.emit(new Stock(shelf, from, count, moved == null ? 0 : moved));
        }
    }

    /** How many records each input has had, over all tasks. */
    static final class Counts implements CheckpointedTwoInputOperator<Good, Move, String> {
        private long first;
        private long second;

        @Override
        public void processFirst(Good good, Output<String> output) {
            first++;
        }

        @Override
        public void processSecond(Move move, Output<String> output) {
            second++;
        }

        @Override
        public byte[] save() {
            return ByteBuffer.allocate(16).putLong(first).putLong(second).array();
        }

        @Override
        public void restore(List<byte[]> saved) {
            saved.stream().map(ByteBuffer::wrap).forEach(counts -> {
                first += counts.getLong();
                second += counts.getLong();
            });
        }

        @Override
        public void finish(Output<String> output) {
            output.emit(first + " " + second);
        }
    }

    /** How often each shelf was named, in state that is the same in every task; each reading tells of it at the end. */
    static final class Named implements KeyedBroadcastOperator<Long, Good, Move, String> {
        private @Nullable KeyedContext context;
        private @Nullable BroadcastState<Long, Long> counts;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            counts = opened.broadcastState("counts", Type.of(Long.class), Type.of(Long.class));
        }

        @Override
        public void process(Long shelf, Good good, Output<String> output) {
            Shelves.opened(context).setTimer(Long.MAX_VALUE - 1);
        }

        @Override
        public void processBroadcast(Move move, Output<String> output) {
            Long before = Shelves.opened(counts).get(move.shelf());
            Shelves.opened(counts).put(move.shelf(), before == null ? 1 : before + 1);
        }

        @Override
        public void onTimer(Long shelf, long time, Output<String> output) {
            output.emit(shelf + " " + Shelves.opened(counts).get(shelf));
        }
    }

    private static Map<String, Stock> expected() {
        Map<String, Stock> stocks = new TreeMap<>();
        for (long i = 0; i < GOODS; i++) {
            merge(stocks, new Stock(i % KEYS, i / 500 * 500, 1, 0));
        }
        for (long i = 0; i < MOVES; i++) {
            merge(stocks, new Stock(i * 11 % KEYS, i * 2 / 3 / 500 * 500, 0, i));
        }
        return stocks;
    }

    private static void merge(Map<String, Stock> stocks, Stock one) {
        stocks.merge(
                one.shelf() + " from " + one.from(),
                one,
                (a, b) -> new Stock(a.shelf(), a.from(), a.goods() + b.goods(), a.pieces() + b.pieces()));
    }

    /** Stopped or killed twice on the way, and each time started with another number of tasks. */
    @ParameterizedTest
    @ValueSource(strings = {"1 2 4", "4 2 1", "2 3 1", "3 1 4"})
    void shouldComeToTheSame_withMoreTasksOrFewer(String parallelisms) throws Exception {
        String[] each = parallelisms.split(" ");
        CollectSink<Stock> stocks = CollectSink.of(Stock.class);
        CollectSink<String> counts = CollectSink.of(String.class);
        CollectSink<String> named = CollectSink.of(String.class);
        for (int run = 0; run < each.length; run++) {
            boolean last = run == each.length - 1;
            stocks = CollectSink.of(Stock.class);
            counts = CollectSink.of(String.class);
            named = CollectSink.of(String.class);
            Topology topology = Topology.named("stock");
            goods(topology)
                    .keyBy(Good::shelf)
                    .connect(moves(topology).keyBy(Move::shelf))
                    .process(Shelves::new)
                    .name("shelves")
                    .to(stocks)
                    .parallelism(1);
            goodsOf(topology)
                    .connect(movesOf(topology))
                    .process(Counts::new)
                    .name("counts")
                    .to(counts);
            goodsAgain(topology)
                    .keyBy(Good::shelf)
                    .withBroadcast(moves(topology, "moves for all"))
                    .process(Named::new)
                    .name("named")
                    .to(named);
            Job job = new EmbeddedRunner(settings(Integer.parseInt(each[run]))).start(topology.graph());
            for (int step = 0; !last && step < 50; step++) {
                if (step == 25) {
                    job.checkpoint();
                }
                job.step();
            }
            if (!last && run == 0) {
                job.cancel();
            } else if (!last) {
                job.kill();
            }
            while (job.step()) {
                // to the end
            }
            assertThat(job.stats().state())
                    .isEqualTo(last ? JobState.FINISHED : run == 0 ? JobState.CANCELLED : JobState.FAILED);
        }
        assertThat(stocks.records()).hasSize(expected().size());
        assertThat(stocks.records())
                .containsExactlyInAnyOrderElementsOf(expected().values());
        long[] sums = new long[2];
        for (String count : counts.records()) {
            sums[0] += Long.parseLong(count.split(" ")[0]);
            sums[1] += Long.parseLong(count.split(" ")[1]);
        }
        assertThat(sums).containsExactly(GOODS, MOVES);
        List<String> expectedNames = new ArrayList<>();
        for (long shelf = 0; shelf < KEYS; shelf++) {
            long of = shelf;
            expectedNames.add(shelf + " "
                    + LongStream.range(0, MOVES)
                            .filter(i -> i * 11 % KEYS == of)
                            .count());
        }
        assertThat(named.records()).containsExactlyInAnyOrderElementsOf(expectedNames);
    }

    private static Stream<Good> goodsAgain(Topology topology) {
        return topology.from(Sources.generate(GOODS, i -> new Good(i % KEYS, i)).splitInto(2))
                .name("goods again");
    }

    private static Stream<Good> goodsOf(Topology topology) {
        return topology.from(Sources.generate(GOODS, i -> new Good(i, i)).splitInto(2))
                .name("more goods");
    }

    private static Stream<Move> movesOf(Topology topology) {
        return topology.from(Sources.generate(MOVES, i -> new Move(i, i, i)).splitInto(3))
                .name("more moves");
    }

    // ---- other topologies

    static final class Seen<K> implements KeyedTwoInputOperator<K, Good, Move, Long> {
        private @Nullable ValueState<Long> seen;

        @Override
        public void open(KeyedContext context) {
            seen = context.state("seen", Type.of(Long.class));
        }

        @Override
        public void processFirst(K key, Good good, Output<Long> output) {
            see(good.at());
        }

        @Override
        public void processSecond(K key, Move move, Output<Long> output) {
            see(move.at());
        }

        private void see(long at) {
            if (seen != null) {
                seen.set(at);
            }
        }
    }

    static final class SeenGoods implements KeyedOperator<Long, Good, Long> {
        private @Nullable ValueState<Long> seen;

        @Override
        public void open(KeyedContext context) {
            seen = context.state("seen", Type.of(Long.class));
        }

        @Override
        public void process(Long key, Good good, Output<Long> output) {
            if (seen != null) {
                seen.set(good.at());
            }
        }
    }

    private <K> Topology seen(MapFunction<Good, K> ofGood, MapFunction<Move, K> ofMove, Type<K> key) {
        Topology topology = Topology.named("seen");
        Stream<Good> goods = goods(topology);
        Stream<Move> moves = moves(topology);
        goods.keyBy(ofGood, key)
                .connect(moves.keyBy(ofMove, key))
                .process(() -> new Seen<K>())
                .as(Long.class)
                .name("seen")
                .to(Sinks.discard())
                .name("sink");
        return topology;
    }

    private static long tens(Move move) {
        return move.shelf() / 10;
    }

    private void begin() {
        Job job = new EmbeddedRunner(settings(2))
                .start(seen(Good::shelf, Move::shelf, Type.of(Long.class)).graph());
        for (int step = 0; step < 30; step++) {
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // to the end
        }
    }

    private void goOn(Topology topology) throws InterruptedException {
        Job job = new EmbeddedRunner(settings(2)).start(topology.graph());
        while (job.step()) {
            // to the end
        }
        job.await();
    }

    /** What it had under its former name would be lost. */
    @Test
    void shouldRefuseStateThatTheOperatorDoesNotDeclareAnyMore() throws Exception {
        begin();
        Topology topology = Topology.named("seen");
        goods(topology)
                .keyBy(Good::shelf)
                .connect(moves(topology).keyBy(Move::shelf))
                .process(Swallows::new)
                .name("seen")
                .to(Sinks.discard())
                .name("sink");

        assertThatThrownBy(() -> goOn(topology))
                .hasMessageContaining(
                        "state 'state seen' of operator 'seen': the operator does not declare it any more;"
                                + " it declares []; run the operator as it was, or continue without its state with"
                                + " --discard-state 'seen'");
    }

    static final class Swallows implements KeyedTwoInputOperator<Long, Good, Move, Long> {
        @Override
        public void processFirst(Long key, Good good, Output<Long> output) {}

        @Override
        public void processSecond(Long key, Move move, Output<Long> output) {}
    }

    @Test
    void shouldRefuseStateOfAnOperatorWithOneInput() throws Exception {
        begin();
        Topology topology = Topology.named("seen");
        goods(topology)
                .keyBy(Good::shelf)
                .process(SeenGoods::new)
                .name("seen")
                .to(Sinks.discard())
                .name("sink");
        moves(topology).to(Sinks.discard());

        assertThatThrownBy(() -> goOn(topology))
                .hasMessageContaining("operator 'seen' was a keyed-connect (keyed-connect), and is a keyed-process");
    }

    @Test
    void shouldRefuseKeysOfAnotherType() throws Exception {
        begin();

        assertThatThrownBy(
                        () -> goOn(seen(good -> "s" + good.shelf(), move -> "s" + move.shelf(), Type.of(String.class))))
                .message()
                .contains("operator 'seen'", "Long", "String")
                .doesNotContain("\n");
    }

    @Test
    void shouldWarnOfAnotherKeyOfTheSecondInput() throws Exception {
        begin();

        goOn(seen(Good::shelf, ConnectRestoreTest::tens, Type.of(Long.class)));

        assertThat(warnings.stream()
                        .filter(warning -> warning.contains("operator 'seen'"))
                        .collect(Collectors.joining()))
                .contains("its key was Good::shelf and Move::shelf in the checkpoint, and is Good::shelf and"
                        + " ConnectRestoreTest::tens");
    }

    static final class Swapped implements KeyedTwoInputOperator<Long, Good, Good, Long> {
        @Override
        public void processFirst(Long key, Good good, Output<Long> output) {}

        @Override
        public void processSecond(Long key, Good good, Output<Long> output) {}
    }

    private static Topology twice(boolean swapped) {
        Topology topology = Topology.named("twice");
        Stream<Good> goods = goods(topology);
        Stream<Good> late = goods.filter(good -> good.at() % 2 == 0);
        (swapped ? late : goods)
                .keyBy(Good::shelf)
                .connect((swapped ? goods : late).keyBy(Good::shelf))
                .process(Swapped::new)
                .to(Sinks.discard());
        return topology;
    }

    /** An operator without a name of its own is known by its place, which is another one if its inputs change places. */
    @Test
    void shouldRefuseInputsThatWereSwapped() throws Exception {
        Job job = new EmbeddedRunner(settings(2)).start(twice(false).graph());
        for (int step = 0; step < 30; step++) {
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // to the end
        }

        assertThatThrownBy(() -> goOn(twice(true)))
                .message()
                .contains("the topology is not what it was", "keyed-connect", "led to in another way");
    }
}
