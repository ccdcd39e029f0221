// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.NanoSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** The flat list of columns that a footer has, of those that {@link SchemaWriter} makes. */
final class SchemaElements {
    private SchemaElements() {}

    static List<SchemaElement> of(MessageType schema) {
        List<SchemaElement> elements = new ArrayList<>();
        SchemaElement root = new SchemaElement(schema.getName());
        root.setNum_children(schema.getFieldCount());
        elements.add(root);
        addFields(schema, elements);
        return elements;
    }

    static org.apache.parquet.format.Type stored(PrimitiveTypeName name) {
        return name == PrimitiveTypeName.BINARY
                ? org.apache.parquet.format.Type.BYTE_ARRAY
                : org.apache.parquet.format.Type.valueOf(name.name());
    }

    private static void addFields(GroupType group, List<SchemaElement> into) {
        for (Type field : group.getFields()) {
            SchemaElement element = new SchemaElement(field.getName());
            element.setRepetition_type(
                    FieldRepetitionType.valueOf(field.getRepetition().name()));
            if (field.getLogicalTypeAnnotation() != null) {
                annotate(element, field.getLogicalTypeAnnotation());
            }
            into.add(element);
            if (field.isPrimitive()) {
                PrimitiveType column = field.asPrimitiveType();
                element.setType(stored(column.getPrimitiveTypeName()));
                if (column.getTypeLength() > 0) {
                    element.setType_length(column.getTypeLength());
                }
            } else {
                element.setNum_children(field.asGroupType().getFieldCount());
                addFields(field.asGroupType(), into);
            }
        }
    }

    /** Writes the logical type and the older converted type, for readers that know only the latter. */
    private static void annotate(SchemaElement element, LogicalTypeAnnotation logical) {
        if (logical instanceof StringLogicalTypeAnnotation) {
            annotate(element, LogicalType.STRING(new StringType()), ConvertedType.UTF8);
        } else if (logical instanceof DateLogicalTypeAnnotation) {
            annotate(element, LogicalType.DATE(new DateType()), ConvertedType.DATE);
        } else if (logical instanceof ListLogicalTypeAnnotation) {
            annotate(element, LogicalType.LIST(new ListType()), ConvertedType.LIST);
        } else if (logical instanceof MapLogicalTypeAnnotation) {
            annotate(element, LogicalType.MAP(new MapType()), ConvertedType.MAP);
        } else if (logical instanceof IntLogicalTypeAnnotation whole) {
            annotate(
                    element,
                    LogicalType.INTEGER(new IntType((byte) whole.getBitWidth(), true)),
                    whole.getBitWidth() == Byte.SIZE ? ConvertedType.INT_8 : ConvertedType.INT_16);
        } else if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
            annotate(
                    element,
                    LogicalType.DECIMAL(new DecimalType(decimal.getScale(), decimal.getPrecision())),
                    ConvertedType.DECIMAL);
            element.setScale(decimal.getScale());
            element.setPrecision(decimal.getPrecision());
        } else if (logical instanceof TimestampLogicalTypeAnnotation at) {
            element.setLogicalType(LogicalType.TIMESTAMP(new TimestampType(at.isAdjustedToUTC(), unit(at.getUnit()))));
            if (at.isAdjustedToUTC() && at.getUnit() == LogicalTypeAnnotation.TimeUnit.MICROS) {
                element.setConverted_type(ConvertedType.TIMESTAMP_MICROS);
            }
        } else if (logical instanceof TimeLogicalTypeAnnotation time) {
            element.setLogicalType(LogicalType.TIME(new TimeType(time.isAdjustedToUTC(), unit(time.getUnit()))));
        }
    }

    private static void annotate(SchemaElement element, LogicalType logical, ConvertedType old) {
        element.setLogicalType(logical);
        element.setConverted_type(old);
    }

    private static TimeUnit unit(LogicalTypeAnnotation.TimeUnit unit) {
        return unit == LogicalTypeAnnotation.TimeUnit.MICROS
                ? TimeUnit.MICROS(new MicroSeconds())
                : TimeUnit.NANOS(new NanoSeconds());
    }
}
