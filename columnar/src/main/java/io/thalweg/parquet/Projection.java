// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.columnar.Conversion;
import io.thalweg.columnar.Declared;
import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Declared.Table;
import io.thalweg.columnar.RecordProblems;
import io.thalweg.columnar.SchemaMismatch;
import io.thalweg.parquet.Converters.Making;
import io.thalweg.parquet.Converters.OfList;
import io.thalweg.parquet.Converters.OfMap;
import io.thalweg.parquet.Converters.OfStruct;
import io.thalweg.parquet.Converters.OfValue;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

/** Matches a record class with the columns of a file: which columns are read, and how records are made of them. */
final class Projection {
    private final RecordProblems record;

    private Projection(RecordProblems record) {
        this.record = record;
    }

    /** A column as it is read, and what makes values of it. */
    private record Field(Type column, Making making) {}

    /**
     * @param columns those that are read
     * @param root takes a record
     */
    record Bound(MessageType columns, OfStruct root) {}

    /** @throws SchemaMismatch if a column is missing, or holds something else */
    static Bound of(MessageType file, Struct struct, RecordProblems record, Converters.Slot records) {
        Projection projection = new Projection(record);
        OfStruct root = new OfStruct(struct, record, "", records);
        List<Type> columns = projection.fields(file, struct, "", root);
        return new Bound(new MessageType(file.getName(), columns), root);
    }

    private List<Type> fields(GroupType group, Struct struct, String prefix, OfStruct converter) {
        List<Type> columns = new ArrayList<>();
        for (int i = 0; i < struct.parts().size(); i++) {
            String name = struct.shape().names().get(i);
            if (!group.containsField(name)) {
                throw SchemaMismatch.missing(
                        prefix + name,
                        group.getFields().stream().map(Type::getName).toList());
            }
            Type column = group.getType(name);
            Declared declared = struct.parts().get(i).type();
            Field field;
            if (!column.isRepetition(Repetition.REPEATED)) {
                field = field(column, declared, prefix + name);
                converter.add(i, field.making());
            } else if (declared instanceof Many many) {
                field = field(column, many.element().type(), prefix + name);
                converter.addRepeated(i, many, field.making(), prefix + name);
            } else {
                throw unfit(column, declared, prefix + name);
            }
            columns.add(field.column());
        }
        return columns;
    }

    private Field field(Type column, Declared declared, String path) {
        if (declared instanceof Scalar scalar && column.isPrimitive()) {
            return value(column.asPrimitiveType(), scalar, path);
        }
        if (!column.isPrimitive()) {
            GroupType group = column.asGroupType();
            if (declared instanceof Struct struct && !isList(group) && !isMap(group)) {
                return struct(group, struct, path);
            }
            if (declared instanceof Many many && isList(group)) {
                return list(group, many, path);
            }
            if (declared instanceof Table table && isMap(group)) {
                return map(group, table, path);
            }
        }
        throw unfit(column, declared, path);
    }

    private Field value(PrimitiveType column, Scalar scalar, String path) {
        ColumnValue value = ColumnValue.of(column);
        Conversion conversion = Conversion.of(value.type(), scalar);
        if (conversion == null) {
            throw SchemaMismatch.found(path, value.type().text(), scalar);
        }
        Conversion whole = stored -> conversion.convert(value.meaning().convert(stored));
        boolean shareable = scalar.type() != byte[].class;
        return new Field(
                column, slot -> new OfValue(column.getPrimitiveTypeName(), whole, shareable, record, path, slot));
    }

    private Field struct(GroupType group, Struct struct, String path) {
        // Bound once to find the columns; each converter is bound again to where its values go.
        List<Type> columns = fields(group, struct, path + ".", new OfStruct(struct, record, path + ".", value -> {}));
        return new Field(group.withNewFields(columns), slot -> {
            OfStruct converter = new OfStruct(struct, record, path + ".", slot);
            fields(group, struct, path + ".", converter);
            return converter;
        });
    }

    private Field list(GroupType group, Many many, String path) {
        Type repeated = group.getFieldCount() == 1 ? group.getType(0) : group;
        if (!repeated.isRepetition(Repetition.REPEATED)) {
            throw unfit(group, many, path);
        }
        if (isElement(repeated, group)) {
            Field element = field(repeated, many.element().type(), path);
            return new Field(
                    group.withNewFields(element.column()),
                    slot -> OfList.ofElements(many, record, path, slot, element.making()));
        }
        GroupType wrapper = repeated.asGroupType();
        Field element = field(wrapper.getType(0), many.element().type(), path);
        return new Field(
                group.withNewFields(wrapper.withNewFields(element.column())),
                slot -> OfList.ofWrapped(many, record, path, slot, element.making()));
    }

    /** The backward-compatibility rules of Parquet's specification for lists. */
    private static boolean isElement(Type repeated, GroupType list) {
        return repeated.isPrimitive()
                || repeated.asGroupType().getFieldCount() > 1
                || repeated.getName().equals("array")
                || repeated.getName().equals(list.getName() + "_tuple")
                || repeated.asGroupType().getType(0).isRepetition(Repetition.REPEATED);
    }

    private Field map(GroupType group, Table table, String path) {
        Type repeated = group.getFieldCount() == 1 ? group.getType(0) : group;
        if (!repeated.isRepetition(Repetition.REPEATED)
                || repeated.isPrimitive()
                || repeated.asGroupType().getFieldCount() != 2) {
            throw unfit(group, table, path);
        }
        GroupType entry = repeated.asGroupType();
        Field key = field(entry.getType(0), new Scalar(String.class), path + " (keys)");
        Field value = field(entry.getType(1), table.values().type(), path);
        return new Field(
                group.withNewFields(entry.withNewFields(key.column(), value.column())),
                slot -> new OfMap(table, record, path, slot, key.making(), value.making()));
    }

    private static boolean isList(GroupType group) {
        return group.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation;
    }

    private static boolean isMap(GroupType group) {
        return group.getLogicalTypeAnnotation() instanceof MapLogicalTypeAnnotation
                || group.getLogicalTypeAnnotation() instanceof MapKeyValueTypeAnnotation;
    }

    private static SchemaMismatch unfit(Type column, Declared declared, String path) {
        return SchemaMismatch.found(path, text(column), declared);
    }

    private static String text(Type column) {
        String many = column.isRepetition(Repetition.REPEATED) ? "repeated " : "";
        if (column.isPrimitive()) {
            return many + ColumnValue.of(column.asPrimitiveType()).type().text();
        }
        GroupType group = column.asGroupType();
        String fields = group.getFields().stream().map(Type::getName).toList().toString();
        return many + (isList(group) ? "a list" : isMap(group) ? "a map" : "a group of " + fields);
    }
}
