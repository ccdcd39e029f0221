// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class BlockingSourceTest {
    private static final String FAIL = "fail";
    private static final String BAD = "bad";
    private static final String REFUSE = "refuse";
    private static final String END = "end";

    /** What the source reads, as from a pipe: static, because a source is serializable; a new one for each test. */
    private static volatile BlockingQueue<String> pipe = new LinkedBlockingQueue<>();

    private static final BlockingQueue<String> SEEN = new LinkedBlockingQueue<>();

    @BeforeEach
    void empty() {
        pipe = new LinkedBlockingQueue<>();
        SEEN.clear();
    }

    @Test
    void shouldPassOnWhatHasComeWhileTheSourceWaits() throws Exception {
        Job job = start();
        for (String text : List.of("a", "b", "c")) {
            pipe.add(text);
            assertThat(SEEN.poll(120, TimeUnit.SECONDS)).isEqualTo(text);
        }
        pipe.add(END);

        JobStats end = job.await();

        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(end.recordsOut()).isEqualTo(3);
    }

    @Test
    void shouldNotWaitForTheSourceWhenCancelled() throws Exception {
        Job job = start();
        pipe.add("a");
        assertThat(SEEN.poll(120, TimeUnit.SECONDS)).isEqualTo("a");

        job.cancel();

        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(job.stats().recordsOut()).isEqualTo(1);
        pipe.add(END); // lets the thread go
    }

    @Test
    void shouldTellOfBadRecordsAndOfFailures() throws Exception {
        Job job = start();
        pipe.addAll(List.of(BAD, "a", REFUSE, "b"));
        assertThat(SEEN.poll(120, TimeUnit.SECONDS)).isEqualTo("a");
        assertThat(SEEN.poll(120, TimeUnit.SECONDS)).isEqualTo("b");
        pipe.add(FAIL);

        assertThatThrownBy(job::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("operator 'pipe'")
                .hasMessageContaining("split 'only', offset 5: ")
                .hasMessageContaining("burst");

        assertThat(job.stats().recordsBad()).isEqualTo(2);
    }

    @Test
    void shouldNotReadFarAhead() throws Exception {
        hold = new CountDownLatch(1);
        Topology topology = Topology.named("Pipe");
        topology.from(new Pipe()).peek(text -> hold.await()).to(Sinks.each(SEEN::add));
        for (int i = 0; i < 10_000; i++) {
            pipe.add("x");
        }
        pipe.add(END);
        Job job = new EmbeddedRunner(RunSettings.defaults().withThreads(1).withParallelism(1)).start(topology.graph());

        assertThat(job.await(Duration.ofMillis(300))).isFalse();
        assertThat(pipe).hasSizeGreaterThan(7_000);
        hold.countDown();

        assertThat(job.await().recordsOut()).isEqualTo(10_000);
    }

    private static volatile CountDownLatch hold = new CountDownLatch(0);

    private static Job start() {
        Topology topology = Topology.named("Pipe");
        topology.from(new Pipe()).name("pipe").to(Sinks.each(SEEN::add));
        return new EmbeddedRunner(RunSettings.defaults().withThreads(1).withParallelism(1)).start(topology.graph());
    }

    private record Pipe() implements Source<String> {
        @Override
        public String name() {
            return "pipe";
        }

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("only");
        }

        @Override
        public SplitReader<String> open(String split, SourceContext context) {
            return new Reader(context);
        }

        @Override
        public boolean blocking() {
            return true;
        }
    }

    private static final class Reader implements SplitReader<String> {
        private final BlockingQueue<String> in = pipe;
        private final SourceContext context;
        private long polled;
        private boolean ended;

        Reader(SourceContext context) {
            this.context = context;
        }

        @Override
        public String poll() throws Exception {
            String text = in.take();
            polled++;
            switch (text) {
                case END -> {
                    ended = true;
                    return null;
                }
                case BAD -> {
                    context.bad(new BadRecord("only", 2, polled, "bad", new byte[0]));
                    return poll();
                }
                case REFUSE -> throw new BadRecordException("refused", text);
                case FAIL -> throw new IllegalStateException("the pipe burst");
                default -> {
                    return text;
                }
            }
        }

        @Override
        public boolean finished() {
            return ended;
        }

        @Override
        public long position() {
            return polled;
        }
    }
}
