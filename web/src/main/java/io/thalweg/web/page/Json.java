// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Texts of JSON. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final double THOUSAND = 1_000;

    /** Writes the fields of an object. */
    @FunctionalInterface
    public interface Fields {
        /** Between the braces. */
        void write(JsonGenerator json) throws IOException;
    }

    private Json() {}

    /** An object with these fields, in one line. */
    public static String object(Fields fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter throws none
        }
        return text.toString();
    }

    /** Whether a text is an object of JSON, whatever is in it. */
    public static boolean isObject(String text) {
        try (JsonParser json = FACTORY.createParser(text)) {
            return json.nextToken() == JsonToken.START_OBJECT
                    && json.skipChildren().currentToken() == JsonToken.END_OBJECT
                    && json.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** A number with three decimals at most, which is as exact as a page shows it. */
    public static void rounded(JsonGenerator json, String name, double number) throws IOException {
        json.writeFieldName(name);
        rounded(json, number);
    }

    /** The same, without a name. */
    static void rounded(JsonGenerator json, double number) throws IOException {
        double rounded = Math.rint(number * THOUSAND) / THOUSAND;
        if (rounded == Math.rint(rounded) && Math.abs(rounded) < Long.MAX_VALUE) {
            json.writeNumber((long) rounded);
        } else if (Double.isFinite(rounded)) {
            json.writeNumber(rounded);
        } else {
            json.writeNumber(0);
        }
    }
}
