// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** How a record stands in a line: nested objects of JSON, or the fields one after another, an empty one for null. */
enum LineFormat {
    JSON("{\"time\":", "\"", "null", "},\"measures\":{", "}}") {
        @Override
        String before(TelecomDimension dimension) {
            String name = "\"" + dimension.fieldName() + "\":";
            if (dimension == TelecomDimension.CELL_ID) {
                return ",\"" + dimension.part() + "\":{" + name;
            }
            return dimension.beginsPart() ? "},\"" + dimension.part() + "\":{" + name : "," + name;
        }

        @Override
        String before(Measure measure) {
            return (measure == Measure.RECORDS ? "" : ",") + "\"" + measure.fieldName + "\":";
        }
    },

    CSV("", "", "", "", "") {
        @Override
        String before(TelecomDimension dimension) {
            return ",";
        }

        @Override
        String before(Measure measure) {
            return ",";
        }
    };

    private static final TelecomDimension[] DIMENSIONS = TelecomDimension.values();

    final byte[] head;
    final byte[] nothing;
    final byte[] tail;
    final byte[][] beforeMeasures;

    private final byte[][] beforeDimensions;
    private final byte[] quote;
    private final byte[] end;

    LineFormat(String head, String quote, String nothing, String end, String tail) {
        this.head = LineBuffer.ascii(head);
        this.quote = LineBuffer.ascii(quote);
        this.nothing = LineBuffer.ascii(nothing);
        this.end = LineBuffer.ascii(end);
        this.tail = LineBuffer.ascii(tail);
        beforeDimensions = Stream.of(TelecomDimension.values())
                .map(dimension -> LineBuffer.ascii(before(dimension)))
                .toArray(byte[][]::new);
        beforeMeasures = Stream.of(Measure.values())
                .map(measure -> LineBuffer.ascii(before(measure)))
                .toArray(byte[][]::new);
    }

    abstract String before(TelecomDimension dimension);

    abstract String before(Measure measure);

    /** Appends all that stands between the time and the first measure. */
    void append(Dimensions dimensions, LineBuffer line) {
        for (int i = 0; i < DIMENSIONS.length; i++) {
            line.text(beforeDimensions[i]);
            Object value = DIMENSIONS[i].value(dimensions);
            if (value instanceof String text) {
                line.text(quote);
                line.text(text);
                line.text(quote);
            } else if (value instanceof Integer number) {
                line.number(number);
            } else if (value == null) {
                line.text(nothing);
            } else {
                line.text(value.toString());
            }
        }
        line.text(end);
    }

    /** Names of the fields, in the order of CSV. */
    static List<String> fieldNames() {
        List<String> names = new ArrayList<>(List.of("time"));
        Stream.of(TelecomDimension.values()).forEach(dimension -> names.add(dimension.fieldName()));
        Stream.of(Measure.values()).forEach(measure -> names.add(measure.fieldName));
        return names;
    }
}
