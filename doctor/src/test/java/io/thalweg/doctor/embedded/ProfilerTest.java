// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Topology;
import io.thalweg.doctor.observation.BlockedCall;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Samples of fused operators, which share a task and a thread. */
final class ProfilerTest {
    private static long expensive(long value) {
        long x = value | 1;
        for (int i = 0; i < 20_000; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    private static List<OperatorProfile> profile(Topology topology) throws Exception {
        try (Profiler profiler = new Profiler()) {
            profiler.start();
            new EmbeddedRunner(RunSettings.defaults()
                            .withThreads(1)
                            .withParallelism(1)
                            .withStages(profiler::made))
                    .start(topology.graph())
                    .await();
            return profiler.profiles();
        }
    }

    private static OperatorProfile of(String operator, List<OperatorProfile> all) {
        return all.stream()
                .filter(each -> each.operator().equals(operator))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldTellFusedOperatorsOfOneKindApart() throws Exception {
        Topology topology = Topology.named("Apart");
        topology.from(Sources.generate(40_000, index -> index))
                .map(value -> value + 1)
                .name("cheap")
                .map(ProfilerTest::expensive)
                .name("dear")
                .to(Sinks.discard());

        List<OperatorProfile> found = profile(topology);

        long all = found.stream().mapToLong(OperatorProfile::samples).sum();
        assertThat(of("dear", found).samples()).isGreaterThan(all * 9 / 10);
        assertThat(of("dear", found).hot().get(0).method()).isEqualTo("ProfilerTest.expensive");
        assertThat(of("dear", found).hot().get(0).line()).matches("ProfilerTest\\.java:\\d+");
    }

    /** It can change, and is dear to copy. */
    private static final class Sheet {
        long number;
    }

    private record SheetCodec() implements Codec<Sheet>, Serializable {
        @Override
        public void encode(Sheet value, ByteWriter out) {
            out.writeVarLong(value.number);
        }

        @Override
        public Sheet decode(ByteReader in) {
            Sheet sheet = new Sheet();
            sheet.number = in.readVarLong();
            return sheet;
        }

        @Override
        public Sheet copy(Sheet value) {
            Sheet sheet = new Sheet();
            sheet.number = expensive(value.number);
            return sheet;
        }
    }

    private record SheetSource(int count) implements Source<Sheet> {
        @Override
        public String name() {
            return "sheets";
        }

        @Override
        public Type<Sheet> type() {
            return Type.custom(Sheet.class, new SheetCodec());
        }

        @Override
        public boolean reusesRecords() {
            return true;
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public SplitReader<Sheet> open(String split, SourceContext context) {
            Sheet sheet = new Sheet();
            return new SplitReader<>() {
                @Override
                public @Nullable Sheet poll() {
                    if (finished()) {
                        return null;
                    }
                    sheet.number++;
                    return sheet;
                }

                @Override
                public boolean finished() {
                    return sheet.number == count;
                }

                @Override
                public long position() {
                    return sheet.number;
                }
            };
        }
    }

    /** A user's own, which is no codec's. */
    private static long copy(Sheet sheet) {
        return expensive(sheet.number);
    }

    @Test
    void shouldTellCopiesOfRecordsThatTheirSourceUsesAgain() throws Exception {
        Topology topology = Topology.named("Copies");
        topology.from(new SheetSource(20_000))
                .name("sheets")
                .map(ProfilerTest::copy)
                .name("dear")
                .isolate()
                .to(Sinks.discard());

        List<OperatorProfile> found = profile(topology);

        OperatorProfile sheets = of("sheets", found);
        assertThat(sheets.copySamples()).isGreaterThan((sheets.samples() + sheets.handOverSamples()) / 2);
        // a sample that is taken as one operator hands over to the next may count for either
        assertThat(of("dear", found).copySamples()).isLessThanOrEqualTo(sheets.copySamples() / 10);
        assertThat(of("dear", found).samples()).isPositive();
    }

    @Test
    void shouldCountCallsThatStandStill() throws Exception {
        Topology topology = Topology.named("Still");
        topology.from(Sources.generate(50, index -> index))
                .map(value -> {
                    LockSupport.parkNanos(5_000_000);
                    return value;
                })
                .name("lookup")
                .to(Sinks.discard());

        OperatorProfile lookup = of("lookup", profile(topology));

        assertThat(lookup.blocked()).hasSize(1);
        assertThat(lookup.blocked().get(0).times()).isEqualTo(50);
        assertThat(lookup.blocked().get(0).call()).isEqualTo("LockSupport.parkNanos");
        assertThat(lookup.blocked().get(0).method()).isEqualTo("ProfilerTest.shouldCountCallsThatStandStill");
        assertThat(lookup.blockedNs()).isGreaterThanOrEqualTo(50 * 5_000_000L);
    }

    /** Waits when it is opened, as long as for all records. */
    private static final class SlowToOpen implements Operator<Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void open(OperatorContext context) {
            LockSupport.parkNanos(50 * 5_000_000L);
        }

        @Override
        public void process(Long value, Output<Long> output) {
            LockSupport.parkNanos(5_000_000);
            output.emit(value);
        }
    }

    @Test
    void shouldNotCountTheOpeningOfAnOperator() throws Exception {
        Topology topology = Topology.named("Opening");
        topology.from(Sources.generate(50, index -> index))
                .process(SlowToOpen::new)
                .name("lookup")
                .to(Sinks.discard());

        OperatorProfile lookup = of("lookup", profile(topology));

        assertThat(lookup.blocked()).extracting(BlockedCall::method).containsExactly("ProfilerTest.SlowToOpen.process");
    }
}
