// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Reads the tree of columns from the flat list in a footer. */
final class SchemaReader {
    private static final int MAX_DEPTH = 100;

    private final List<SchemaElement> elements;
    private int next;

    private SchemaReader(List<SchemaElement> elements) {
        this.elements = elements;
    }

    /** @throws IOException if it is no schema */
    static MessageType read(List<SchemaElement> elements) throws IOException {
        SchemaReader reader = new SchemaReader(elements);
        SchemaElement root = reader.next();
        List<Type> columns = reader.columns(root.getNum_children(), 0);
        return new MessageType(root.getName() == null ? "schema" : root.getName(), columns);
    }

    private SchemaElement next() throws IOException {
        if (next == elements.size()) {
            throw new IOException("its schema is truncated");
        }
        return elements.get(next++);
    }

    private List<Type> columns(int count, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException("its schema is nested deeper than " + MAX_DEPTH + " levels");
        }
        List<Type> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SchemaElement element = next();
            Repetition repetition =
                    Repetition.valueOf(element.getRepetition_type().name());
            LogicalTypeAnnotation logical = logical(element);
            columns.add(
                    element.isSetType()
                            ? Types.primitive(stored(element.getType()), repetition)
                                    .length(element.getType_length())
                                    .as(logical)
                                    .named(element.getName())
                            : Types.buildGroup(repetition)
                                    .as(logical)
                                    .addFields(columns(element.getNum_children(), depth + 1)
                                            .toArray(new Type[0]))
                                    .named(element.getName()));
        }
        return columns;
    }

    private static PrimitiveTypeName stored(org.apache.parquet.format.Type type) {
        return switch (type) {
            case BYTE_ARRAY -> PrimitiveTypeName.BINARY;
            case BOOLEAN -> PrimitiveTypeName.BOOLEAN;
            case INT32 -> PrimitiveTypeName.INT32;
            case INT64 -> PrimitiveTypeName.INT64;
            case INT96 -> PrimitiveTypeName.INT96;
            case FLOAT -> PrimitiveTypeName.FLOAT;
            case DOUBLE -> PrimitiveTypeName.DOUBLE;
            case FIXED_LEN_BYTE_ARRAY -> PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
        };
    }

    private static @Nullable LogicalTypeAnnotation logical(SchemaElement element) {
        if (element.isSetLogicalType()) {
            LogicalTypeAnnotation logical = logical(element.getLogicalType());
            if (logical != null) {
                return logical;
            }
        }
        return element.isSetConverted_type() ? old(element) : null;
    }

    /** The converted type, in files from before logical types. */
    private static @Nullable LogicalTypeAnnotation old(SchemaElement element) {
        return switch (element.getConverted_type()) {
            case UTF8 -> LogicalTypeAnnotation.stringType();
            case MAP, MAP_KEY_VALUE -> LogicalTypeAnnotation.mapType();
            case LIST -> LogicalTypeAnnotation.listType();
            case ENUM -> LogicalTypeAnnotation.enumType();
            case DECIMAL -> LogicalTypeAnnotation.decimalType(element.getScale(), element.getPrecision());
            case DATE -> LogicalTypeAnnotation.dateType();
            case TIME_MILLIS -> LogicalTypeAnnotation.timeType(true, LogicalTypeAnnotation.TimeUnit.MILLIS);
            case TIME_MICROS -> LogicalTypeAnnotation.timeType(true, LogicalTypeAnnotation.TimeUnit.MICROS);
            case TIMESTAMP_MILLIS -> LogicalTypeAnnotation.timestampType(true, LogicalTypeAnnotation.TimeUnit.MILLIS);
            case TIMESTAMP_MICROS -> LogicalTypeAnnotation.timestampType(true, LogicalTypeAnnotation.TimeUnit.MICROS);
            case UINT_8 -> LogicalTypeAnnotation.intType(8, false);
            case UINT_16 -> LogicalTypeAnnotation.intType(16, false);
            case UINT_32 -> LogicalTypeAnnotation.intType(32, false);
            case UINT_64 -> LogicalTypeAnnotation.intType(64, false);
            case INT_8 -> LogicalTypeAnnotation.intType(8, true);
            case INT_16 -> LogicalTypeAnnotation.intType(16, true);
            case INT_32 -> LogicalTypeAnnotation.intType(32, true);
            case INT_64 -> LogicalTypeAnnotation.intType(64, true);
            case JSON -> LogicalTypeAnnotation.jsonType();
            case BSON -> LogicalTypeAnnotation.bsonType();
            case INTERVAL -> null;
        };
    }

    /** Null for a type that no component can have, or that is newer than the library. */
    private static @Nullable LogicalTypeAnnotation logical(LogicalType type) {
        LogicalType._Fields kind = type.getSetField();
        if (kind == null) {
            return null;
        }
        return switch (kind) {
            case STRING -> LogicalTypeAnnotation.stringType();
            case MAP -> LogicalTypeAnnotation.mapType();
            case LIST -> LogicalTypeAnnotation.listType();
            case ENUM -> LogicalTypeAnnotation.enumType();
            case DECIMAL ->
                LogicalTypeAnnotation.decimalType(
                        type.getDECIMAL().getScale(), type.getDECIMAL().getPrecision());
            case DATE -> LogicalTypeAnnotation.dateType();
            case TIME ->
                LogicalTypeAnnotation.timeType(
                        type.getTIME().isIsAdjustedToUTC(), unit(type.getTIME().getUnit()));
            case TIMESTAMP ->
                LogicalTypeAnnotation.timestampType(
                        type.getTIMESTAMP().isIsAdjustedToUTC(),
                        unit(type.getTIMESTAMP().getUnit()));
            case INTEGER ->
                LogicalTypeAnnotation.intType(
                        type.getINTEGER().getBitWidth(), type.getINTEGER().isIsSigned());
            case JSON -> LogicalTypeAnnotation.jsonType();
            case BSON -> LogicalTypeAnnotation.bsonType();
            case UUID -> LogicalTypeAnnotation.uuidType();
            default -> null;
        };
    }

    private static LogicalTypeAnnotation.TimeUnit unit(TimeUnit unit) {
        return LogicalTypeAnnotation.TimeUnit.valueOf(unit.getSetField().name());
    }
}
