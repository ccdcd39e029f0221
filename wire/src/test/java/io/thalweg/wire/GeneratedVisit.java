// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.time.Instant;
import java.time.LocalTime;
import java.util.Map;
import org.apache.avro.Conversion;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** As Avro's compiler makes classes that have logical types. */
@SuppressWarnings("checkstyle")
public final class GeneratedVisit extends SpecificRecordBase {
    private static final long serialVersionUID = 1L;

    public static final Schema SCHEMA$ = new Schema.Parser()
            .parse("{\"type\":\"record\",\"name\":\"GeneratedVisit\",\"namespace\":\"io.thalweg.wire\",\"fields\":["
                    + "{\"name\":\"at\",\"type\":[\"null\",{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}]},"
                    + "{\"name\":\"from\",\"type\":{\"type\":\"int\",\"logicalType\":\"time-millis\"}},"
                    + "{\"name\":\"tags\",\"type\":{\"type\":\"map\",\"values\":\"string\"}}]}");

    public static final SpecificData MODEL$ = new SpecificData();

    static {
        MODEL$.addLogicalTypeConversion(new TimeConversions.TimestampMicrosConversion());
        MODEL$.addLogicalTypeConversion(new TimeConversions.TimeMillisConversion());
    }

    private static final Conversion<?>[] CONVERSIONS = {null, new TimeConversions.TimeMillisConversion(), null};

    @Nullable Instant at;

    LocalTime from;
    Map<?, ?> tags;

    @Override
    public SpecificData getSpecificData() {
        return MODEL$;
    }

    @Override
    public Conversion<?> getConversion(int field) {
        return CONVERSIONS[field];
    }

    @Override
    public Schema getSchema() {
        return SCHEMA$;
    }

    @Override
    public Object get(int field) {
        return switch (field) {
            case 0 -> at;
            case 1 -> from;
            default -> tags;
        };
    }

    @Override
    public void put(int field, Object value) {
        switch (field) {
            case 0 -> at = (Instant) value;
            case 1 -> from = (LocalTime) value;
            default -> tags = (Map<?, ?>) value;
        }
    }
}
