// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.flink.record.CodecSerializer;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Accumulators of Flink's state beside those of the aggregates, which checkpoints hold. */
final class AccumulatorsTest {
    record Row(long number, @Nullable Double fraction, String text) {}

    record Flat(
            long count,
            long sum,
            @Nullable Double greatest,
            @Nullable Double mean) {}

    record Mixed(long count, @Nullable String last) {}

    record Longs(long count, long sum) {}

    static Stream<Arguments> aggregates() {
        return Stream.of(
                Arguments.of(
                        "flat",
                        Aggregates.into(
                                Flat.class,
                                Aggregates.<Row>count(),
                                Aggregates.<Row>sum(Row::number),
                                Aggregates.<Row, Double>max(Row::fraction),
                                Aggregates.<Row>mean(Row::number))),
                Arguments.of(
                        "mixed",
                        Aggregates.into(Mixed.class, Aggregates.<Row>count(), Aggregates.<Row, String>max(Row::text))),
                Arguments.of(
                        "longs",
                        Aggregates.into(Longs.class, Aggregates.<Row>count(), Aggregates.<Row>sum(Row::number))),
                Arguments.of("one", Aggregates.<Row, Double>min(Row::fraction)),
                Arguments.of("text", Aggregates.<Row, String>min(Row::text)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("aggregates")
    void shouldBeWhatTheAggregateMakes(String name, Aggregate<Object, Object, Object> aggregate) throws Exception {
        Accumulators accumulators = new Accumulators(aggregate);
        CodecSerializer<Object> serializer = accumulators.serializer("test");
        CodecSerializer<Object> plain = new CodecSerializer<>(aggregate.accumulatorType(), "test");
        SplittableRandom random = new SplittableRandom(name.hashCode());
        for (int round = 0; round < 100; round++) {
            Object expected = aggregate.create();
            Object inState = accumulators.create();
            for (int left = random.nextInt(6); left >= 0; left--) {
                assertThat(accumulators.result(inState)).isEqualTo(aggregate.result(expected));
                byte[] bytes = bytes(serializer, inState);
                assertThat(bytes).as("in a checkpoint").isEqualTo(bytes(plain, expected));

                Row row = row(random);
                aggregate.add(expected, row);
                Object copy = serializer.copy(inState);
                inState = switch (random.nextInt(4)) {
                    case 0 -> copy;
                    case 1 -> read(serializer, bytes);
                    case 2 -> read(plain, bytes); // as Flink restores it
                    default -> inState;
                };
                assertThat(accumulators.result(inState))
                        .as("before it has a record")
                        .isEqualTo(accumulators.result(copy));
                inState = accumulators.inState(inState);
                accumulators.add(inState, row);
                if (inState != copy) {
                    assertThat(bytes(serializer, copy))
                            .as("a copy stays as it is")
                            .isEqualTo(bytes);
                }
            }
        }
    }

    private static Row row(SplittableRandom random) {
        return new Row(
                random.nextInt(-9, 9),
                random.nextInt(3) == 0 ? null : random.nextInt(9) / 8.0,
                "t" + random.nextInt(5));
    }

    private static byte[] bytes(CodecSerializer<Object> serializer, Object value) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(value, out);
        return out.getCopyOfBuffer();
    }

    private static Object read(CodecSerializer<Object> serializer, byte[] bytes) throws IOException {
        return serializer.duplicate().deserialize(new DataInputDeserializer(bytes));
    }
}
