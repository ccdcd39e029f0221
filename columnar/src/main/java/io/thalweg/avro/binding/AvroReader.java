// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro.binding;

import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;

/** Avro's reader, as {@link AvroValue} and {@link AvroProjection} need it. For one thread. */
public final class AvroReader extends GenericDatumReader<Object> {
    /**
     * Makes a reader.
     *
     * @param written the schema that the bytes were written with
     * @param expected the schema that they are read as
     */
    public AvroReader(Schema written, Schema expected) {
        super(written, expected, checkingLengths());
    }

    private static GenericData checkingLengths() {
        GenericData data = new GenericData();
        data.setFastReaderEnabled(false); // only the slow reader checks lengths against the bytes that are left
        return data;
    }

    /** Texts stay bytes, whatever {@code avro.java.string} says: in a String, bytes that are no UTF-8 would be replaced. */
    @Override
    @SuppressWarnings("rawtypes") // as the library declares it
    protected Class findStringClass(Schema schema) {
        return CharSequence.class;
    }
}
