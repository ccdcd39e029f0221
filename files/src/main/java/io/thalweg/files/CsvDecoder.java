// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.csv.CsvMessages;
import io.thalweg.files.csv.CsvRecord;
import io.thalweg.files.csv.Delimiter;
import io.thalweg.files.record.MalformedException;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes messages of one CSV row each. The fields are the components of the record, in their order, unless
 * {@link #header} names others. What {@link CsvSource} says of fields, nulls and bad rows holds here, and the reasons
 * of bad records are the same. A message has no header; it may end with a line break. Immutable: each method returns
 * another decoder. Made by {@link Csv#decoder}.
 *
 * @param <R> records
 */
public final class CsvDecoder<R> implements Decoder<R> {
    private static final long serialVersionUID = 1L;

    private final Class<R> record;
    private final char delimiter;

    @SuppressWarnings("serial") // a list that is serializable
    private final List<String> columns;

    private final boolean named;

    private CsvDecoder(Class<R> record, char delimiter, List<String> columns, boolean named) {
        this.record = record;
        this.delimiter = Delimiter.check(delimiter);
        this.columns = columns;
        this.named = named;
        messages(); // a record that cannot be read is told here, not on some worker
    }

    static <R> CsvDecoder<R> of(Class<R> record) {
        return new CsvDecoder<>(record, ',', CsvRecord.of(record).columns(), false);
    }

    /** Fields are separated by another ASCII character than a comma. */
    public CsvDecoder<R> delimiter(char character) {
        return new CsvDecoder<>(record, character, columns, named);
    }

    /**
     * Names the fields of a message, from left to right. They are matched with components by name, as the columns of a
     * file are; fields that the record does not have are ignored.
     *
     * @throws IllegalArgumentException if there is none for a component, or two with its name
     */
    public CsvDecoder<R> header(String... columns) {
        return new CsvDecoder<>(record, delimiter, List.of(columns), true);
    }

    private CsvMessages<R> messages() {
        return new CsvMessages<>(record, delimiter, columns, named);
    }

    @Override
    public Type<R> type() {
        return Type.of(record);
    }

    @Override
    public Decoding<R> open() {
        CsvMessages<R> messages = messages();
        return (bytes, from, to) -> {
            try {
                return messages.read(bytes, from, to);
            } catch (MalformedException e) {
                throw new BadRecordException(String.valueOf(e.getMessage()), Arrays.copyOfRange(bytes, from, to));
            }
        };
    }
}
