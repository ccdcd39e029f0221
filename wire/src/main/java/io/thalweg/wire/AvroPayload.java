// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.files.record.MalformedException;
import java.io.EOFException;
import java.io.IOException;
import java.util.function.Function;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** Reads messages of one schema with Avro's library. */
final class AvroPayload<T> implements Payload<T> {
    private final GenericDatumReader<Object> reader;
    private final Function<Object, T> making;
    private @Nullable BinaryDecoder decoder;

    AvroPayload(GenericDatumReader<Object> reader, Function<Object, T> making) {
        this.reader = reader;
        this.making = making;
    }

    @Override
    public T read(byte[] bytes, int from, int to) {
        return making.apply(value(bytes, from, to));
    }

    private Object value(byte[] bytes, int from, int to) {
        try {
            BinaryDecoder values = DecoderFactory.get().binaryDecoder(bytes, from, to - from, decoder);
            decoder = values;
            Object read = reader.read(null, values);
            if (!values.isEnd()) {
                throw new MalformedException("the message has more bytes than its schema says", 0);
            }
            return read;
        } catch (MalformedException e) {
            throw e;
        } catch (EOFException e) {
            throw new MalformedException("the message ends before its schema says", 0);
        } catch (IOException | RuntimeException e) {
            throw new MalformedException("the message is not what its schema says: " + OneLine.of(e), 0);
        } catch (StackOverflowError e) {
            throw new MalformedException("the message is nested too deeply", 0);
        }
    }
}
