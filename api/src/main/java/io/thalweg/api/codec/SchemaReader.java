// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes codecs that read bytes of an older schema as values of today's type. They do not write. */
final class SchemaReader {
    /** Records and sealed types around the current one, as they were, with their readers. */
    private final List<Open> around = new ArrayList<>();

    private record Open(Schema schema, Type<?> type, Codecs.Later<Object> reader) {}

    /** A codec for reading alone. */
    private record Reader(Function<ByteReader, Object> decoding) implements Codec<Object> {
        @Override
        public void encode(Object value, ByteWriter out) {
            throw new UnsupportedOperationException("an older schema is only read");
        }

        @Override
        public Object decode(ByteReader in) {
            return decoding.apply(in);
        }
    }

    /**
     * @param where the field that holds it, for messages; empty for the value itself
     * @throws CodecException with what has changed
     */
    @SuppressWarnings("unchecked") // codecs are asked for values of their own types
    Codec<Object> reader(Schema old, Type<?> now, String where) {
        if (old instanceof Schema.Again again) {
            if (again.level() < 0 || again.level() >= around.size()) {
                throw new CodecException("a schema refers to level " + again.level() + ", which it does not have");
            }
            Open open = around.get(again.level());
            if (!open.type.equals(now)) {
                throw changed(where, old, now);
            }
            return open.reader;
        }
        if (old instanceof Schema.Fields fields
                && (now.codec() instanceof RecordCodec || now.codec() instanceof FieldsCodec)) {
            return within(fields, fields.name(), now, where, later -> fields(fields, now, where));
        }
        if (old instanceof Schema.Cases cases && now.codec() instanceof Codecs.SealedCodec sealed) {
            return within(cases, cases.name(), now, where, later -> cases(cases, sealed, where));
        }
        if (old instanceof Schema.Container container) {
            return container(container, now, where);
        }
        boolean constants = old instanceof Schema.Constants before
                && now.codec() instanceof Codecs.EnumCodec
                && before.name().equals(now.raw().getSimpleName());
        if (constants || old.equals(Schema.of(now))) {
            return (Codec<Object>) now.codec();
        }
        throw changed(where, old, now);
    }

    private static CodecException changed(String where, Schema old, Type<?> now) {
        return new CodecException((where.isEmpty() ? "it" : where) + " was " + old + ", and is " + Schema.of(now));
    }

    private Codec<Object> within(
            Schema old, String name, Type<?> now, String where, Function<Codecs.Later<Object>, Codec<Object>> make) {
        if (!name.equals(now.raw().getSimpleName())) {
            throw changed(where, old, now);
        }
        Codecs.Later<Object> later = new Codecs.Later<>();
        around.add(new Open(old, now, later));
        Codec<Object> made = make.apply(later);
        later.set(made);
        around.remove(around.size() - 1);
        return made;
    }

    private Codec<Object> fields(Schema.Fields old, Type<?> now, String where) {
        Map<String, Type<?>> types =
                now.codec() instanceof RecordCodec record ? record.fields() : ((FieldsCodec) now.codec()).fields();
        List<String> names = List.copyOf(types.keySet());
        int[] places = new int[old.fields().size()];
        List<PartCodec> parts = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            Schema.Field field = old.fields().get(i);
            Type<?> type = types.get(field.name());
            String path = (where.isEmpty() ? old.name() : where) + "." + field.name();
            if (type == null) {
                throw new CodecException(
                        path + " (" + field.type() + ") is not there any more; " + old.name() + " has " + names);
            }
            places[i] = names.indexOf(field.name());
            parts.add(new PartCodec(reader(field.type(), type, path)));
        }
        Function<@Nullable Object[], Object> maker = now.codec() instanceof RecordCodec record
                ? record.maker(places)
                : ((FieldsCodec) now.codec()).maker(places);
        return new Reader(in -> {
            @Nullable Object[] values = new Object[names.size()];
            for (int i = 0; i < places.length; i++) {
                values[places[i]] = parts.get(i).decode(in);
            }
            return maker.apply(values);
        });
    }

    private Codec<Object> cases(Schema.Cases old, Codecs.SealedCodec now, String where) {
        List<Codec<Object>> readers = new ArrayList<>();
        Map<String, Class<?>> classes = new HashMap<>();
        now.classes().forEach(each -> classes.put(each.getSimpleName(), each));
        for (Schema.Field each : old.cases()) {
            Class<?> permitted = classes.get(each.name());
            readers.add(
                    permitted == null
                            ? new Reader(in -> {
                                throw new CodecException(old.name() + " has no " + each.name() + " any more");
                            })
                            : reader(each.type(), Type.of(permitted), where));
        }
        return new Reader(in -> {
            long index = in.readVarLong();
            if (index < 0 || index >= readers.size()) {
                throw new CodecException(old.name() + " has no case number " + index);
            }
            return readers.get((int) index).decode(in);
        });
    }

    private Codec<Object> container(Schema.Container old, Type<?> now, String where) {
        CompositeCodec<Object> composite = composite(now);
        List<Type<?>> types = composite != null
                ? composite.parts()
                : now.raw().isArray() ? List.of(Type.of(now.raw().componentType())) : now.arguments();
        String name = composite != null
                ? composite.getClass().getSimpleName()
                : now.raw().isArray() ? "array" : Schemas.containerName(now.raw());
        if (!(Schema.of(now) instanceof Schema.Container)
                || !old.name().equals(name)
                || types.size() != old.of().size()) {
            throw changed(where, old, now);
        }
        List<Codec<Object>> readers = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            readers.add(reader(old.of().get(i), types.get(i), where));
        }
        if (composite != null) {
            return new Reader(in -> composite.decode(in, readers));
        }
        List<PartCodec> parts = readers.stream().map(PartCodec::new).toList();
        return Codecs.container(now.raw(), parts);
    }

    @SuppressWarnings("unchecked") // a type's codec makes values of that type
    private static @Nullable CompositeCodec<Object> composite(Type<?> now) {
        return now.custom() instanceof CompositeCodec<?> found ? (CompositeCodec<Object>) found : null;
    }
}
