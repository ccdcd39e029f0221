// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** How a record stands in a line: nested objects of JSON, or the fields one after another, an empty one for null. */
enum LineFormat {
    JSON("{\"time\":", "null", "}}") {
        @Override
        byte[] dimensions(Dimensions dimensions) {
            LineBuffer line = new LineBuffer(2_048);
            String part = "";
            for (TelecomDimension dimension : TelecomDimension.values()) {
                if (!dimension.part().equals(part)) {
                    line.text(part.isEmpty() ? "" : "}");
                    part = dimension.part();
                    line.text(",\"" + part + "\":{");
                } else {
                    line.text(",");
                }
                Object value = dimension.value(dimensions);
                line.text("\"" + dimension.fieldName() + "\":");
                line.text(value instanceof String ? "\"" + value + "\"" : String.valueOf(value));
            }
            line.text("},\"measures\":{");
            return line.toBytes();
        }

        @Override
        byte[] beforeMeasure(Measure measure) {
            return LineBuffer.ascii((measure == Measure.RECORDS ? "" : ",") + "\"" + measure.fieldName + "\":");
        }
    },

    CSV("", "", "") {
        @Override
        byte[] dimensions(Dimensions dimensions) {
            LineBuffer line = new LineBuffer(1_024);
            for (TelecomDimension dimension : TelecomDimension.values()) {
                String text = dimension.text(dimensions);
                line.text(text == null ? "," : "," + text);
            }
            return line.toBytes();
        }

        @Override
        byte[] beforeMeasure(Measure measure) {
            return LineBuffer.ascii(",");
        }
    };

    final byte[] head;
    final byte[] nothing;
    final byte[] tail;

    LineFormat(String head, String nothing, String tail) {
        this.head = LineBuffer.ascii(head);
        this.nothing = LineBuffer.ascii(nothing);
        this.tail = LineBuffer.ascii(tail);
    }

    /** All that stands between the time and the first measure. */
    abstract byte[] dimensions(Dimensions dimensions);

    abstract byte[] beforeMeasure(Measure measure);

    /** Names of the fields, in the order of CSV. */
    static List<String> fieldNames() {
        List<String> names = new ArrayList<>(List.of("time"));
        Stream.of(TelecomDimension.values()).forEach(dimension -> names.add(dimension.fieldName()));
        Stream.of(Measure.values()).forEach(measure -> names.add(measure.fieldName));
        return names;
    }
}
