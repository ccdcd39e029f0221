// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the codec of a type. */
final class Codecs {
    private Codecs() {}

    static <T> Codec<T> of(Type<T> type) {
        return of(type, new HashMap<>());
    }

    /** @param open the types being resolved further up, so that a record may contain itself */
    @SuppressWarnings("unchecked") // each branch makes the codec of the class it tested for
    static <T> Codec<T> of(Type<T> type, Map<Type<?>, Later<?>> open) {
        Codec<T> custom = type.custom();
        if (custom != null) {
            return custom;
        }
        Class<T> raw = type.raw();
        Codec<?> standard = StandardCodecs.BY_CLASS.get(raw);
        if (standard != null) {
            return (Codec<T>) standard;
        }
        Later<?> pending = open.get(type);
        if (pending != null) {
            return (Codec<T>) pending;
        }
        Later<T> later = new Later<>();
        open.put(type, later);
        later.codec = (Codec<T>) structured(type, raw, open);
        open.remove(type);
        return later.codec;
    }

    /** The type that {@link #of} has made a codec of; null if nobody knows. */
    static @Nullable Type<?> typeOf(Codec<?> codec) {
        if (codec instanceof RecordCodec record) {
            return record.type();
        }
        if (codec instanceof FieldsCodec fields) {
            return fields.type();
        }
        if (codec instanceof SealedCodec sealed) {
            return sealed.type;
        }
        if (codec instanceof EnumCodec constants) {
            return Type.of(constants.raw);
        }
        for (Map.Entry<Class<?>, Codec<?>> standard : StandardCodecs.BY_CLASS.entrySet()) {
            if (standard.getValue() == codec) {
                return Type.of(standard.getKey());
            }
        }
        return null;
    }

    private static Codec<?> structured(Type<?> type, Class<?> raw, Map<Type<?>, Later<?>> open) {
        if (raw.isEnum()) {
            return new EnumCodec(raw);
        }
        if (raw.isRecord()) {
            return new RecordCodec(type, open);
        }
        if (raw.isSealed()) {
            return new SealedCodec(type, open);
        }
        if (raw.isArray()) {
            return new ArrayCodec(raw.componentType(), nullable(Type.of(raw.componentType()), open));
        }
        if (raw == List.class || raw == ArrayList.class || raw == Collection.class || raw == Iterable.class) {
            return new CollectionCodec(argument(type, 0, open), false);
        }
        if (raw == Set.class) {
            return new CollectionCodec(argument(type, 0, open), true);
        }
        if (raw == Map.class) {
            return new MapCodec(argument(type, 0, open), argument(type, 1, open));
        }
        if (raw == Optional.class) {
            PartCodec element = argument(type, 0, open);
            return new OptionalCodec(element);
        }
        if (raw.isInterface()
                || Modifier.isAbstract(raw.getModifiers())
                || raw.getName().startsWith("java.")) {
            throw new CodecException("'" + type + "' has no codec: name a concrete type"
                    + " (a record, an enum, a class with a no-argument constructor, List, Map, Set …)"
                    + " or give it one with Type.custom");
        }
        return new FieldsCodec(type, open);
    }

    /** Of an array, a collection, a map or an optional, with these codecs of what it holds. */
    @SuppressWarnings("unchecked") // it makes values of the class
    static Codec<Object> container(Class<?> raw, List<PartCodec> of) {
        Codec<?> codec;
        if (raw.isArray()) {
            codec = new ArrayCodec(raw.componentType(), of.get(0));
        } else if (raw == Map.class) {
            codec = new MapCodec(of.get(0), of.get(1));
        } else if (raw == Optional.class) {
            codec = new OptionalCodec(of.get(0));
        } else {
            codec = new CollectionCodec(of.get(0), raw == Set.class);
        }
        return (Codec<Object>) codec;
    }

    private static PartCodec argument(Type<?> type, int index, Map<Type<?>, Later<?>> open) {
        if (type.arguments().size() <= index) {
            throw new CodecException("'" + type + "' is generic, and its type arguments are not known");
        }
        return nullable(type.arguments().get(index), open);
    }

    @SuppressWarnings("unchecked") // parts are read from values of the very type
    static PartCodec nullable(Type<?> type, Map<Type<?>, Later<?>> open) {
        return new PartCodec((Codec<Object>) of(type, open));
    }

    /** Stands for a codec that is still being made. */
    static final class Later<T> implements Codec<T> {
        private @Nullable Codec<T> codec;

        void set(Codec<T> made) {
            codec = made;
        }

        private Codec<T> codec() {
            if (codec == null) {
                throw new IllegalStateException("codec used before it was made");
            }
            return codec;
        }

        @Override
        public void encode(T value, ByteWriter out) {
            codec().encode(value, out);
        }

        @Override
        public T decode(ByteReader in) {
            return codec().decode(in);
        }

        @Override
        public int hash(T value) {
            return codec().hash(value);
        }

        @Override
        public T copy(T value) {
            return codec().copy(value);
        }
    }

    /** By name, so that constants may be added or moved. */
    static final class EnumCodec implements Codec<Object> {
        private final Map<String, Object> byName = new HashMap<>();
        private final Class<?> raw;

        EnumCodec(Class<?> raw) {
            this.raw = raw;
            for (Object constant : raw.getEnumConstants()) {
                byName.put(((Enum<?>) constant).name(), constant);
            }
        }

        @Override
        public void encode(Object value, ByteWriter out) {
            out.writeText(((Enum<?>) value).name());
        }

        @Override
        public Object decode(ByteReader in) {
            String name = in.readText();
            Object constant = byName.get(name);
            if (constant == null) {
                throw new CodecException(raw.getSimpleName() + " has no constant '" + name + "'");
            }
            return constant;
        }

        @Override
        public int hash(Object value) {
            return ((Enum<?>) value).name().hashCode();
        }

        @Override
        public boolean immutable() {
            return true;
        }
    }

    /** A number for the permitted class, then its value. */
    static final class SealedCodec implements Codec<Object> {
        private final Type<?> type;
        private final List<Class<?>> classes = new ArrayList<>();
        private final List<Codec<Object>> codecs = new ArrayList<>();

        @SuppressWarnings("unchecked") // the codec of each permitted class meets only values of that class
        SealedCodec(Type<?> type, Map<Type<?>, Later<?>> open) {
            this.type = type;
            for (Class<?> permitted : type.raw().getPermittedSubclasses()) {
                classes.add(permitted);
                codecs.add((Codec<Object>) of(Type.of(permitted), open));
            }
        }

        List<Class<?>> classes() {
            return classes;
        }

        private int indexOf(Object value) {
            for (int i = 0; i < classes.size(); i++) {
                if (classes.get(i).isInstance(value)) {
                    return i;
                }
            }
            throw new CodecException(
                    "no permitted class for a " + value.getClass().getName());
        }

        @Override
        public void encode(Object value, ByteWriter out) {
            int index = indexOf(value);
            out.writeVarLong(index);
            codecs.get(index).encode(value, out);
        }

        @Override
        public Object decode(ByteReader in) {
            long index = in.readVarLong();
            if (index < 0 || index >= codecs.size()) {
                throw new CodecException("there is no permitted class number " + index);
            }
            return codecs.get((int) index).decode(in);
        }

        @Override
        public int hash(Object value) {
            int index = indexOf(value);
            return 31 * index + codecs.get(index).hash(value);
        }

        @Override
        public boolean immutable() {
            return codecs.stream().allMatch(Codec::immutable);
        }
    }

    record ArrayCodec(Class<?> component, PartCodec element) implements Codec<Object> {
        @Override
        public void encode(Object array, ByteWriter out) {
            int length = Array.getLength(array);
            out.writeVarLong(length);
            for (int i = 0; i < length; i++) {
                element.encode(Array.get(array, i), out);
            }
        }

        @Override
        public Object decode(ByteReader in) {
            int length = in.readLength();
            Object array = Array.newInstance(component, length);
            for (int i = 0; i < length; i++) {
                Array.set(array, i, element.decode(in));
            }
            return array;
        }

        @Override
        public int hash(Object array) {
            int hash = 1;
            for (int i = 0; i < Array.getLength(array); i++) {
                hash = 31 * hash + element.hash(Array.get(array, i));
            }
            return hash;
        }
    }

    record CollectionCodec(PartCodec element, boolean set) implements Codec<Collection<?>> {
        @Override
        public void encode(Collection<?> value, ByteWriter out) {
            out.writeVarLong(value.size());
            for (Object each : value) {
                element.encode(each, out);
            }
        }

        @Override
        public Collection<?> decode(ByteReader in) {
            int size = in.readLength();
            Collection<@Nullable Object> value = set ? new LinkedHashSet<>() : new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                value.add(element.decode(in));
            }
            return value;
        }

        @Override
        public int hash(Collection<?> value) {
            int hash = 1;
            for (Object each : value) {
                // equal sets may iterate in different orders
                hash = set ? hash + StableHash.mix(element.hash(each)) : 31 * hash + element.hash(each);
            }
            return hash;
        }
    }

    record MapCodec(PartCodec key, PartCodec value) implements Codec<Map<?, ?>> {
        @Override
        public void encode(Map<?, ?> map, ByteWriter out) {
            out.writeVarLong(map.size());
            map.forEach((k, v) -> {
                key.encode(k, out);
                value.encode(v, out);
            });
        }

        @Override
        public Map<?, ?> decode(ByteReader in) {
            int size = in.readLength();
            Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                map.put(key.decode(in), value.decode(in));
            }
            return map;
        }

        @Override
        public int hash(Map<?, ?> map) {
            int hash = 1;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                hash += StableHash.mix(31 * key.hash(entry.getKey()) + value.hash(entry.getValue()));
            }
            return hash;
        }
    }

    record OptionalCodec(PartCodec element) implements Codec<Optional<?>> {
        @Override
        public void encode(Optional<?> value, ByteWriter out) {
            element.encode(value.orElse(null), out);
        }

        @Override
        public Optional<?> decode(ByteReader in) {
            return Optional.ofNullable(element.decode(in));
        }

        @Override
        public int hash(Optional<?> value) {
            return element.hash(value.orElse(null));
        }

        @Override
        public boolean immutable() {
            return element.immutable();
        }
    }

    /** Reports where a part without a codec stands. */
    static PartCodec part(Type<?> owner, String name, java.lang.reflect.Type type, Map<Type<?>, Later<?>> open) {
        try {
            return nullable(Type.resolve(type, owner.bindings()), open);
        } catch (CodecException e) {
            throw new CodecException(owner + "." + name + ": " + e.getMessage());
        }
    }
}
