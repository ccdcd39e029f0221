// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.io.Serializable;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The type of the records on a stream, with its generic arguments, and through it their {@link Codec}.
 *
 * <pre>{@code
 * Type<Reading> reading = Type.of(Reading.class);
 * Type<List<Reading>> readings = Type.list(reading);
 * Type<Pair<String, Long>> pair = Type.of(Pair.class, Type.of(String.class), Type.of(Long.class));
 * }</pre>
 *
 * <p>Built in are codecs for the wrappers of primitives, String, BigDecimal, BigInteger, UUID, the common classes of
 * {@code java.time}, byte[] and other arrays, enums, records, sealed interfaces of these, List, Set, Map, Optional, and
 * plain classes with a no-argument constructor (their non-transient fields). Any other type needs {@link #custom}.
 *
 * <p>Immutable, serializable and thread-safe.
 *
 * @param <T> values
 */
public final class Type<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Class<T> raw;
    private final List<Type<?>> arguments;

    @SuppressWarnings("serial") // a custom codec that is not serializable is found when the topology is checked
    private final @Nullable Codec<T> custom;

    private transient volatile @Nullable Codec<T> codec;

    private Type(Class<T> raw, List<Type<?>> arguments, @Nullable Codec<T> custom) {
        this.raw = raw;
        this.arguments = arguments;
        this.custom = custom;
    }

    /** A class without type parameters; a primitive class stands for its wrapper. */
    public static <T> Type<T> of(Class<T> raw) {
        return new Type<>(boxed(raw), List.of(), null);
    }

    /** A generic class with its arguments: {@code Type.of(Pair.class, Type.of(String.class), Type.of(Long.class))}. */
    @SuppressWarnings("unchecked") // the arguments are what the caller says they are
    public static <T> Type<T> of(Class<? super T> raw, Type<?>... arguments) {
        return new Type<>((Class<T>) raw, List.of(arguments), null);
    }

    /** Lists of an element type. */
    public static <E> Type<List<E>> list(Type<E> element) {
        return of(List.class, element);
    }

    /** Sets of an element type. */
    public static <E> Type<Set<E>> set(Type<E> element) {
        return of(Set.class, element);
    }

    /** Maps of a key and a value type. */
    public static <K, V> Type<Map<K, V>> map(Type<K> key, Type<V> value) {
        return of(Map.class, key, value);
    }

    /** A type with a codec of your own, which must be serializable, because it is sent to a cluster. */
    public static <T, C extends Codec<T> & Serializable> Type<T> custom(Class<T> raw, C codec) {
        return new Type<>(raw, List.of(), codec);
    }

    /**
     * The type of a reflected generic signature.
     *
     * @throws CodecException if it names a type variable or a wildcard without a bound
     */
    public static Type<?> of(java.lang.reflect.Type type) {
        return resolve(type, Map.of());
    }

    static Type<?> resolve(java.lang.reflect.Type type, Map<TypeVariable<?>, Type<?>> bound) {
        if (type instanceof Class<?> raw) {
            return of(raw);
        }
        if (type instanceof ParameterizedType generic) {
            Type<?>[] arguments = Arrays.stream(generic.getActualTypeArguments())
                    .map(argument -> resolve(argument, bound))
                    .toArray(Type<?>[]::new);
            return of((Class<?>) generic.getRawType(), arguments);
        }
        if (type instanceof TypeVariable<?> variable && bound.containsKey(variable)) {
            return bound.get(variable);
        }
        if (type instanceof WildcardType wildcard && wildcard.getUpperBounds()[0] != Object.class) {
            return resolve(wildcard.getUpperBounds()[0], bound);
        }
        if (type instanceof GenericArrayType array) {
            return of(resolve(array.getGenericComponentType(), bound).raw.arrayType());
        }
        throw new CodecException("'" + type.getTypeName() + "' says nothing about the class of its values");
    }

    /** The class without its type arguments; a wrapper, never a primitive. */
    public Class<T> raw() {
        return raw;
    }

    /** The type arguments; empty if there are none. */
    public List<Type<?>> arguments() {
        return arguments;
    }

    @Nullable Codec<T> custom() {
        return custom;
    }

    /** Type parameters of the class, bound to this type's arguments. */
    Map<TypeVariable<?>, Type<?>> bindings() {
        TypeVariable<?>[] parameters = raw.getTypeParameters();
        if (parameters.length != arguments.size()) {
            throw new CodecException(raw.getSimpleName() + " is generic, and its type arguments are not known");
        }
        Map<TypeVariable<?>, Type<?>> bindings = new HashMap<>();
        for (int i = 0; i < parameters.length; i++) {
            bindings.put(parameters[i], arguments.get(i));
        }
        return bindings;
    }

    /**
     * The codec, found on first use.
     *
     * @throws CodecException with the reason, if this type or a part of it has none
     */
    public Codec<T> codec() {
        Codec<T> known = codec;
        if (known == null) {
            known = Codecs.of(this);
            codec = known;
        }
        return known;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Type<?> type && raw == type.raw && arguments.equals(type.arguments);
    }

    @Override
    public int hashCode() {
        return 31 * raw.hashCode() + arguments.hashCode();
    }

    /** As in Java source, with simple names: {@code WindowResult<String, Long>}. */
    @Override
    public String toString() {
        return raw.getSimpleName()
                + (arguments.isEmpty()
                        ? ""
                        : arguments.stream().map(Type::toString).collect(Collectors.joining(", ", "<", ">")));
    }

    @SuppressWarnings("unchecked") // int.class and Integer.class are both Class<Integer>
    private static <T> Class<T> boxed(Class<T> raw) {
        return raw.isPrimitive()
                ? (Class<T>) java.lang.invoke.MethodType.methodType(raw).wrap().returnType()
                : raw;
    }
}
