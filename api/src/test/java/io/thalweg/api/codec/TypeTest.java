// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TypeTest {
    record Pair<A, B>(A first, B second) {}

    record Holder<T>(List<? extends T> many, T one, T[] array) {}

    record Unbound(List<?> anything) {}

    record Tree(String name, List<Tree> branches) {}

    interface Open {}

    static class WithArgument {
        final String text;

        WithArgument(String text) {
            this.text = text;
        }
    }

    static final class WithFinal {
        final String text = "";
    }

    @Test
    void shouldNameItself() {
        assertThat(Type.of(int.class)).hasToString("Integer").isEqualTo(Type.of(Integer.class));
        assertThat(Type.map(Type.of(String.class), Type.list(Type.of(Long.class))))
                .hasToString("Map<String, List<Long>>");
        assertThat(Type.of(long[].class)).hasToString("long[]");
    }

    @Test
    void shouldResolveGenericSignatures() {
        record Fields(Map<String, List<Integer>> map, Pair<? extends Number, int[]> pair) {}
        RecordComponent[] fields = Fields.class.getRecordComponents();
        assertThat(Type.of(fields[0].getGenericType()))
                .isEqualTo(Type.map(Type.of(String.class), Type.list(Type.of(Integer.class))));
        assertThat(Type.of(fields[1].getGenericType()))
                .isEqualTo(Type.of(Pair.class, Type.of(Number.class), Type.of(int[].class)));
        assertThatThrownBy(() -> Type.of(List.class.getTypeParameters()[0]))
                .isInstanceOf(CodecException.class)
                .hasMessage("'E' says nothing about the class of its values");
    }

    @Test
    void shouldStayEqualThroughSerialization() throws Exception {
        Type<?> type = Type.map(Type.of(String.class), Type.of(Pair.class, Type.of(Long.class), Type.of(int[].class)));

        assertThat(roundTripped(type)).isEqualTo(type).hasSameHashCodeAs(type);
    }

    @Test
    void shouldKeepACustomCodecThroughSerialization() throws Exception {
        Type<WithArgument> type = roundTripped(Type.custom(WithArgument.class, new WithArgumentCodec()));
        ByteWriter out = new ByteWriter(0);

        type.codec().encode(new WithArgument("x"), out);

        assertThat(type.codec().decode(new ByteReader(out.toByteArray())).text).isEqualTo("x");
    }

    @Test
    void shouldUseTheCustomCodecOfAPart() {
        Type<List<WithArgument>> type = Type.list(Type.custom(WithArgument.class, new WithArgumentCodec()));
        ByteWriter out = new ByteWriter(0);

        type.codec().encode(List.of(new WithArgument("a"), new WithArgument("b")), out);

        assertThat(type.codec().decode(new ByteReader(out.toByteArray())))
                .extracting(each -> each.text)
                .containsExactly("a", "b");
    }

    @Test
    void shouldFindTheCodecOfARecordThatContainsItself() {
        Tree tree = new Tree("root", List.of(new Tree("leaf", List.of()), new Tree("other", List.of())));
        Codec<Tree> codec = Type.of(Tree.class).codec();

        assertThat(codec.copy(tree)).isEqualTo(tree).isNotSameAs(tree);
        assertThat(codec.hash(tree)).isEqualTo(codec.hash(codec.copy(tree)));
    }

    @Test
    void shouldSayWhyThereIsNoCodec() {
        assertThatThrownBy(() -> Type.of(Open.class).codec())
                .isInstanceOf(CodecException.class)
                .hasMessageStartingWith("'Open' has no codec: name a concrete type (a record, an enum,")
                .hasMessageEndingWith("or give it one with Type.custom");
        assertThatThrownBy(() -> Type.of(Object.class).codec()).hasMessageStartingWith("'Object' has no codec");
        assertThatThrownBy(() -> Type.of(Thread.class).codec()).hasMessageStartingWith("'Thread' has no codec");
        assertThatThrownBy(() -> Type.of(List.class).codec())
                .hasMessage("'List' is generic, and its type arguments are not known");
        assertThatThrownBy(() -> Type.of(Pair.class).codec())
                .hasMessage("Pair.first: Pair is generic, and its type arguments are not known");
        assertThatThrownBy(() -> Type.of(WithArgument.class).codec())
                .hasMessage("'WithArgument' has no codec: it has no no-argument constructor that can be called;"
                        + " make it a record or give it a codec with Type.custom");
        assertThatThrownBy(() -> Type.of(WithFinal.class).codec())
                .hasMessage("'WithFinal' has no codec: its field 'text' is final;"
                        + " make it a record or give it a codec with Type.custom");
    }

    @Test
    void shouldSayWhichPartHasNoCodec() {
        Type<?> type = Type.of(
                Pair.class, Type.of(String.class), Type.of(Pair.class, Type.of(Open.class), Type.of(Long.class)));

        assertThatThrownBy(type::codec)
                .hasMessageStartingWith(
                        "Pair<String, Pair<Open, Long>>.second: Pair<Open, Long>.first: 'Open' has no codec");
        assertThatThrownBy(() -> Type.of(Unbound.class).codec())
                .hasMessage("Unbound.anything: '?' says nothing about the class of its values");
    }

    @Test
    void shouldResolveTheParametersOfARecord() {
        Type<Holder<String>> type = Type.of(Holder.class, Type.of(String.class));
        Codec<Holder<String>> codec = type.codec();
        Holder<String> copy = codec.copy(new Holder<>(List.of("a"), "b", new String[] {"c", null}));

        assertThat(copy.many()).isEqualTo(List.of("a"));
        assertThat(copy.one()).isEqualTo("b");
        assertThat(copy.array()).containsExactly("c", null);
    }

    /** Fields of all kinds, one that is not written, one of the class above. */
    static class Above {
        String text = "unset";
    }

    static final class Mutable extends Above {
        long number;
        boolean flag;
        double real;
        int[] numbers = {};
        List<Mutable> inner = List.of();
        String missing;
        transient String kept = "as made";
    }

    record Around(Mutable mutable, byte[] bytes, long[] longs, double[] doubles, String name) {}

    @Test
    void shouldCopyWhatSerializationWouldKeep_andShareNothingThatChanges() {
        Mutable leaf = new Mutable();
        leaf.number = Long.MIN_VALUE;
        Mutable value = new Mutable();
        value.text = "above";
        value.number = 7;
        value.flag = true;
        value.real = -0.5;
        value.numbers = new int[] {1, -2};
        value.inner = List.of(leaf);
        value.kept = "not written";
        Around around = new Around(value, new byte[] {3}, new long[] {4}, new double[] {5}, null);
        Codec<Around> codec = Type.of(Around.class).codec();

        Around copy = codec.copy(around);

        ByteWriter out = new ByteWriter(0);
        codec.encode(around, out);
        assertThat(copy).usingRecursiveComparison().isEqualTo(codec.decode(new ByteReader(out.toByteArray())));
        assertThat(copy.mutable()).isNotSameAs(value);
        assertThat(copy.mutable().kept).isEqualTo("as made");
        assertThat(copy.mutable().numbers).isNotSameAs(value.numbers).containsExactly(1, -2);
        assertThat(copy.mutable().inner.get(0)).isNotSameAs(leaf);
        assertThat(copy.bytes()).isNotSameAs(around.bytes());
        assertThat(copy.longs()).isNotSameAs(around.longs());
        assertThat(copy.doubles()).isNotSameAs(around.doubles());
        assertThat(copy.mutable().text).isSameAs(value.text);
        assertThat(copy.name()).isNull();
    }

    @Test
    void shouldKnowWhatCannotChange() {
        record Fixed(long a, String b, Fixed.Kind kind) {
            enum Kind {
                ONE
            }
        }
        assertThat(Type.of(Fixed.class).codec().immutable()).isTrue();
        assertThat(Type.of(Tree.class).codec().immutable()).isFalse();
        assertThat(Type.of(byte[].class).codec().immutable()).isFalse();
        assertThat(Type.list(Type.of(String.class)).codec().immutable()).isFalse();
        Fixed fixed = new Fixed(1, "b", Fixed.Kind.ONE);
        assertThat(Type.of(Fixed.class).codec().copy(fixed)).isSameAs(fixed);
        List<String> list = new ArrayList<>(List.of("a"));
        assertThat(Type.list(Type.of(String.class)).codec().copy(list))
                .isEqualTo(list)
                .isNotSameAs(list);
    }

    @SuppressWarnings("unchecked") // what was written is read
    private static <T> T roundTripped(T value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    private static final class WithArgumentCodec implements Codec<WithArgument>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void encode(WithArgument value, ByteWriter out) {
            out.writeText(value.text);
        }

        @Override
        public WithArgument decode(ByteReader in) {
            return new WithArgument(in.readText());
        }
    }
}
