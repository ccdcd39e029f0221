// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.thalweg.api.stats.JobStats;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measurements as JSON: an object for each record, with its components under their own names. */
public final class StatsFile {
    private StatsFile() {}

    /** The text, ending in a line break. */
    public static String json(JobStats stats) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            write(stats, json);
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("cannot write " + stats, e);
        }
        return text.append('\n').toString();
    }

    /** Any record, in one line without a line break. */
    public static String line(Record record) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            write(record, json);
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("cannot write " + record, e);
        }
        return text.toString();
    }

    private static void write(@Nullable Object value, JsonGenerator json)
            throws IOException, ReflectiveOperationException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof Record record) {
            json.writeStartObject();
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                json.writeFieldName(component.getName());
                Method accessor = component.getAccessor();
                accessor.setAccessible(true); // of records that are not public too
                write(accessor.invoke(record), json);
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(element, json);
            }
            json.writeEndArray();
        } else if (value instanceof Enum<?> constant) {
            json.writeString(constant.name());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else {
            json.writeString(value.toString());
        }
    }
}
