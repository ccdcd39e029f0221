// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChildLoopTest {
    private static final int RECORDS = 2_000;

    @TempDir
    private Path folder;

    /** How many tuples all children have, and had at most. */
    private final AtomicInteger open = new AtomicInteger();

    private final AtomicInteger most = new AtomicInteger();

    /** Emits and acks all that it gets, but ends with the batch that has the tuple {@code last}. */
    private final class Echo implements Tuples {
        private final BlockingQueue<List<Message>> sent = new LinkedBlockingQueue<>();
        private final List<Message> added = new ArrayList<>();
        private final long last;

        Echo(long last) {
            this.last = last;
        }

        @Override
        public void add(Message tuple) {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            added.add(tuple);
        }

        @Override
        public void send() {
            if (!added.isEmpty()) {
                sent.add(List.copyOf(added));
                added.clear();
            }
        }

        @Override
        public int read(Consumer<Message> taken) throws IOException {
            try {
                List<Message> batch = sent.take();
                batch.forEach(taken);
                open.addAndGet(-batch.size());
                boolean ends = batch.isEmpty() || batch.stream().anyMatch(each -> each.number() == last);
                return ends ? -1 : batch.size();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        void end() {
            sent.add(List.of());
        }
    }

    private void run(List<Echo> children, List<List<Long>> taken, int pending) throws Exception {
        try (Load load = Load.open(CellCheck.write(folder, Map.of("records", "" + RECORDS)), 0, 1)) {
            new ChildLoop(children, () -> children.forEach(Echo::end))
                    .run(
                            load,
                            from -> new Message(from.take(), new byte[0], Message.UNTIMED),
                            taken.stream()
                                    .map(its -> (Consumer<Message>) message -> its.add(message.number()))
                                    .toList(),
                            pending);
        }
    }

    /** Otherwise it would be faster than engines that keep to it, or slower than it could be. */
    @Test
    void shouldHaveAsManyTuplesUnderWayAsTheCellAllows() throws Exception {
        List<Long> taken = new ArrayList<>();
        run(List.of(new Echo(-1)), List.of(taken), 7);
        assertThat(taken).isEqualTo(LongStream.range(0, RECORDS).boxed().toList());
        assertThat(most).hasValue(7);
        assertThat(open).hasValue(0);
    }

    @Test
    void shouldGiveChildrenTuplesInTurn() throws Exception {
        List<Long> even = new ArrayList<>();
        List<Long> odd = new ArrayList<>();
        run(List.of(new Echo(-1), new Echo(-1)), List.of(even, odd), 50);
        assertThat(even)
                .isEqualTo(
                        LongStream.range(0, RECORDS / 2).map(i -> 2 * i).boxed().toList());
        assertThat(odd)
                .isEqualTo(LongStream.range(0, RECORDS / 2)
                        .map(i -> 2 * i + 1)
                        .boxed()
                        .toList());
    }

    @Test
    void shouldFailWithAChildThatEnds() {
        List<List<Long>> taken = List.of(new ArrayList<>(), new ArrayList<>());
        assertThatThrownBy(() -> run(List.of(new Echo(-1), new Echo(101)), taken, 50))
                .hasMessage("a child failed: it has ended; its standard error says why");
    }

    @Test
    void shouldSayThatAChildCannotBegin() {
        assertThatThrownBy(() -> Child.start(List.of("sh", "-c", "exit 3"), folder, 8))
                .hasMessage("it ended before its first message; its standard error says why");
    }
}
