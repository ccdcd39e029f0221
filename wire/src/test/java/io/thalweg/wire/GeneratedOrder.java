// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;

/** As Avro's compiler makes classes. */
@SuppressWarnings("checkstyle")
public final class GeneratedOrder extends SpecificRecordBase {
    private static final long serialVersionUID = 1L;

    public static final Schema SCHEMA$ = new Schema.Parser()
            .parse("{\"type\":\"record\",\"name\":\"GeneratedOrder\",\"namespace\":\"io.thalweg.wire\",\"fields\":["
                    + "{\"name\":\"id\",\"type\":\"long\"},{\"name\":\"shop\",\"type\":\"string\"},"
                    + "{\"name\":\"added\",\"type\":\"string\",\"default\":\"by default\"}],\"aliases\":[\"Order\"]}");

    long id;
    CharSequence shop;
    CharSequence added;

    @Override
    public Schema getSchema() {
        return SCHEMA$;
    }

    @Override
    public Object get(int field) {
        return switch (field) {
            case 0 -> id;
            case 1 -> shop;
            default -> added;
        };
    }

    @Override
    public void put(int field, Object value) {
        switch (field) {
            case 0 -> id = (Long) value;
            case 1 -> shop = (CharSequence) value;
            default -> added = (CharSequence) value;
        }
    }
}
