// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The messages of a .proto file. */
record ProtoSchema(FileDescriptor file) {
    private static final Map<String, FileDescriptor> WELL_KNOWN = Stream.of(
                    DescriptorProtos.getDescriptor(),
                    AnyProto.getDescriptor(),
                    ApiProto.getDescriptor(),
                    DurationProto.getDescriptor(),
                    EmptyProto.getDescriptor(),
                    FieldMaskProto.getDescriptor(),
                    SourceContextProto.getDescriptor(),
                    StructProto.getDescriptor(),
                    TimestampProto.getDescriptor(),
                    TypeProto.getDescriptor(),
                    WrappersProto.getDescriptor())
            .collect(Collectors.toMap(FileDescriptor::getName, Function.identity()));

    /** @throws InvalidSchemaException if it is not one */
    static ProtoSchema of(SchemaText schema) {
        try {
            return new ProtoSchema(new Imports(schema.imports()).file("message.proto", schema.text()));
        } catch (InvalidSchemaException e) {
            throw new InvalidSchemaException(schema.place() + " is no Protobuf schema: " + e.getMessage());
        }
    }

    /** Builds each file once, behind those that it imports. */
    private static final class Imports {
        private final Map<String, String> texts = new HashMap<>();
        private final Map<String, FileDescriptor> built = new HashMap<>(WELL_KNOWN);

        Imports(List<SchemaText.Import> imports) {
            imports.forEach(each -> texts.put(each.name(), each.text()));
        }

        FileDescriptor file(String name, String text) {
            FileDescriptorProto parsed = ProtoParser.parse(name, text);
            FileDescriptorProto.Builder known =
                    parsed.toBuilder().clearDependency().clearPublicDependency();
            List<FileDescriptor> imported = new ArrayList<>();
            for (int i = 0; i < parsed.getDependencyCount(); i++) {
                FileDescriptor found = imported(parsed.getDependency(i));
                if (found != null) { // another may declare options only
                    if (parsed.getPublicDependencyList().contains(i)) {
                        known.addPublicDependency(known.getDependencyCount());
                    }
                    known.addDependency(found.getName());
                    imported.add(found);
                }
            }
            try {
                return FileDescriptor.buildFrom(known.build(), imported.toArray(new FileDescriptor[0]));
            } catch (DescriptorValidationException e) {
                throw new InvalidSchemaException(OneLine.of(e));
            }
        }

        private @Nullable FileDescriptor imported(String name) {
            FileDescriptor known = built.get(name);
            String text = texts.remove(name); // so that a circle ends
            if (known == null && text != null) {
                known = file(name, text);
                built.put(name, known);
            }
            return known;
        }
    }

    /**
     * A message by its place: the index among those of the file, then those within it.
     *
     * @return null if there is none
     */
    @Nullable Descriptor at(List<Integer> indexes) {
        List<Descriptor> messages = file.getMessageTypes();
        Descriptor found = null;
        for (int index : indexes) {
            if (index < 0 || index >= messages.size()) {
                return null;
            }
            found = messages.get(index);
            messages = found.getNestedTypes();
        }
        return found;
    }

    /**
     * A message by its name, with or without the package.
     *
     * @return null if there is none
     */
    @Nullable Descriptor named(String name) {
        String inFile = file.getPackage().isEmpty() || !name.startsWith(file.getPackage() + ".")
                ? name
                : name.substring(file.getPackage().length() + 1);
        Descriptor found = null;
        for (String part : inFile.split("\\.")) {
            found = found == null ? file.findMessageTypeByName(part) : found.findNestedTypeByName(part);
            if (found == null) {
                return null;
            }
        }
        return found;
    }

    /** The place of a message in its file. */
    static List<Integer> indexes(Descriptor message) {
        List<Integer> indexes = new ArrayList<>();
        for (Descriptor each = message; each != null; each = each.getContainingType()) {
            indexes.add(0, each.getIndex());
        }
        return indexes;
    }
}
