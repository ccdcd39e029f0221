// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.testkit.Serialized;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rules for every codec.
 *
 * @param <T> values
 */
@Timeout(900)
public abstract class CodecContract<T> {
    private static final int VALUES_AT_ONCE = 10_000;

    /** {@code Type.custom(Place.class, new PlaceCodec())}. */
    protected abstract Type<T> type();

    /** Values at the edges of what there is, and some that are equal without looking alike, such as sets. */
    protected abstract List<? extends T> values();

    /** Whether two values are one to the user; by equals, arrays element by element. */
    protected boolean same(T one, T other) {
        return Arrays.deepEquals(new Object[] {one}, new Object[] {other});
    }

    /** Changes something inside a value, where values can be changed. */
    protected void change(T value) {}

    @Test
    void shouldGiveBackAnEqualValue() {
        for (T value : values()) {
            assertSame(decode(encode(value)), value);
        }
    }

    @Test
    void shouldReadJustWhatItWrote() {
        ByteWriter out = new ByteWriter(0);
        int[] ends = new int[values().size()];
        for (int i = 0; i < ends.length; i++) {
            codec().encode(values().get(i), out);
            ends[i] = out.size();
        }
        ByteReader in = new ByteReader(out.toByteArray());
        for (int i = 0; i < ends.length; i++) {
            assertSame(codec().decode(in), values().get(i));
            assertThat(out.size() - in.remaining()).as("where value %d ends", i).isEqualTo(ends[i]);
        }
    }

    @Test
    void shouldTellOfBytesThatEndEarly() {
        for (T value : values()) {
            byte[] bytes = encode(value);
            for (int length = 0; length < bytes.length; length++) {
                ByteReader cut = new ByteReader(bytes, 0, length);
                assertThatThrownBy(() -> codec().decode(cut))
                        .as("%s, %d of %d bytes", value, length, bytes.length)
                        .isInstanceOf(CodecException.class);
            }
        }
    }

    @Test
    void shouldCopy() {
        for (T value : values()) {
            T original = codec().copy(value);
            assertSame(original, value);
            T copy = codec().copy(original);
            change(original);
            assertSame(copy, value);
            assertThat(codec().immutable() || copy != original)
                    .as("a copy of %s is an object of its own", value)
                    .isTrue();
        }
    }

    @Test
    void shouldHashEqualValuesAlike() {
        for (T one : values()) {
            assertThat(codec().hash(decode(encode(one))))
                    .as("hash of %s, read again", one)
                    .isEqualTo(codec().hash(one));
            for (T other : values()) {
                if (same(one, other)) {
                    assertThat(codec().hash(one))
                            .as("hash of %s and of %s", one, other)
                            .isEqualTo(codec().hash(other));
                }
            }
        }
    }

    @Test
    void shouldServeSeveralThreads() {
        List<byte[]> bytes = values().stream().map(this::encode).toList();
        IntStream.range(0, VALUES_AT_ONCE).parallel().map(i -> i % bytes.size()).forEach(i -> {
            assertThat(encode(values().get(i))).as("bytes of value %d", i).isEqualTo(bytes.get(i));
            assertSame(decode(bytes.get(i)), values().get(i));
        });
    }

    @Test
    void shouldSurviveSerialization() {
        Type<T> sent = Serialized.copyOf(type(), "the type");
        for (T value : values()) {
            assertSame(sent.codec().decode(new ByteReader(encode(value))), value);
            assertThat(sent.codec().hash(value)).as("hash of %s", value).isEqualTo(codec().hash(value));
        }
    }

    private Codec<T> codec() {
        return type().codec();
    }

    private byte[] encode(T value) {
        ByteWriter out = new ByteWriter(0);
        codec().encode(value, out);
        return out.toByteArray();
    }

    private T decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        T value = codec().decode(in);
        assertThat(in.remaining()).as("bytes left behind %s", value).isZero();
        return value;
    }

    private void assertSame(T actual, T expected) {
        assertThat(same(actual, expected))
                .as("%s of %s is the same as %s of %s", actual, actual.getClass(), expected, expected.getClass())
                .isTrue();
    }
}
