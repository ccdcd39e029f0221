// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.avro.binding.AvroValue;
import io.thalweg.columnar.ColumnType;
import io.thalweg.columnar.ColumnType.Kind;
import io.thalweg.files.record.MalformedException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Whether times and decimals of messages have the unit that they are read with. Avro's library looks at the numbers alone: it would read
 * milliseconds as so many microseconds.
 */
final class AvroUnits {
    private static final Set<Kind> WITH_UNITS = Set.of(Kind.DATE, Kind.TIME, Kind.INSTANT, Kind.LOCAL, Kind.DECIMAL);

    private final Set<List<String>> begun = new HashSet<>(); // a schema may contain itself

    private AvroUnits() {}

    /**
     * Compares what fields of both schemas count. A schema that says nothing of it fits any.
     *
     * @param written the schema of messages
     * @param read the one that they are read as
     * @throws MalformedException if it is something else; the message names the field
     */
    static void check(Schema written, Schema read) {
        new AvroUnits().compare(written, read, "");
    }

    private void compare(Schema written, Schema read, String path) {
        if (written.isUnion()) {
            written.getTypes().forEach(type -> compare(type, read, path));
        } else if (read.isUnion()) {
            compareWithOneOf(written, read, path);
        } else if (written.getType() == Schema.Type.RECORD && read.getType() == Schema.Type.RECORD) {
            fields(written, read, path.isEmpty() ? "" : path + ".");
        } else if (written.getType() == Schema.Type.ARRAY && read.getType() == Schema.Type.ARRAY) {
            compare(written.getElementType(), read.getElementType(), path);
        } else if (written.getType() == Schema.Type.MAP && read.getType() == Schema.Type.MAP) {
            compare(written.getValueType(), read.getValueType(), path);
        } else {
            units(AvroValue.of(written), AvroValue.of(read), path);
        }
    }

    /** With the type of a union that it is read as: the same one, or for an int a long. */
    private void compareWithOneOf(Schema written, Schema union, String path) {
        List<Schema> same = union.getTypes().stream()
                .filter(type -> type.getType() == written.getType())
                .toList();
        List<Schema> types = same.isEmpty() && written.getType() == Schema.Type.INT
                ? union.getTypes().stream()
                        .filter(type -> type.getType() == Schema.Type.LONG)
                        .toList()
                : same;
        for (Schema type : types) {
            if (types.size() == 1 || type.getName().equals(written.getName())) {
                compare(written, type, path);
            }
        }
    }

    private void fields(Schema written, Schema read, String prefix) {
        if (!begun.add(List.of(written.getFullName(), read.getFullName()))) {
            return;
        }
        for (Schema.Field field : read.getFields()) {
            Schema.Field there = written.getField(field.name());
            for (String alias : field.aliases()) {
                there = there == null ? written.getField(alias) : there;
            }
            if (there != null) {
                compare(there.schema(), field.schema(), prefix + field.name());
            }
        }
    }

    private static void units(@Nullable AvroValue written, @Nullable AvroValue read, String path) {
        if (written != null && read != null && !haveSameUnit(written.type(), read.type())) {
            throw new MalformedException(
                    (path.isEmpty() ? "" : "'" + path + "': ") + "it is " + text(written.type())
                            + ", and would be read as if it were " + text(read.type()),
                    0);
        }
    }

    private static boolean haveSameUnit(ColumnType written, ColumnType read) {
        boolean known = WITH_UNITS.contains(written.kind()) && WITH_UNITS.contains(read.kind());
        return !known || (kind(written) == kind(read) && written.digits() == read.digits());
    }

    private static Kind kind(ColumnType type) {
        return type.kind() == Kind.LOCAL ? Kind.INSTANT : type.kind();
    }

    private static String text(ColumnType type) {
        return type.kind() == Kind.DECIMAL
                ? type.text() + " with " + type.digits() + " digits after the point"
                : type.text();
    }
}
