// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.NullValueException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;

/** Completes rows with what the process answered. Used by one thread. */
final class AnswerReader {
    /** Of the function as a whole, for functions of batches. */
    private static final int ALL = -1;

    private final String where;
    private final Program program;
    private final Shape shape;

    AnswerReader(String where, Program program, Shape shape) {
        this.where = where;
        this.program = program;
        this.shape = shape;
    }

    /**
     * Reads the results of a batch: its number, the reasons of bad rows and the exceptions of rows that failed, both by the place of
     * the row, and the results.
     *
     * @param batches removes and returns the batch of a number; null if it was not asked for
     */
    void read(byte[] message, LongFunction<@Nullable Batch> batches) throws IOException {
        MessageUnpacker in = MessagePack.newDefaultUnpacker(message);
        int parts = in.unpackArrayHeader();
        int kind = in.unpackInt();
        if (kind != Message.RESULTS || parts != 5) {
            throw new ConnectorException("the Python process sent a message of unknown kind " + kind);
        }
        long number = in.unpackLong();
        Map<Integer, Throwable> thrown = new HashMap<>();
        for (int left = in.unpackMapHeader(); left > 0; left--) {
            thrown.put(in.unpackInt(), new BadRecordException(in.unpackString(), new byte[0]));
        }
        for (int left = in.unpackMapHeader(); left > 0; left--) {
            int row = in.unpackInt();
            in.unpackArrayHeader();
            thrown.put(row, new ConnectorException(RowFailure.read(in).message()));
        }
        int at = (int) in.getTotalReadBytes();
        int size = in.unpackArrayHeader();
        Batch batch = batches.apply(number);
        if (batch == null || (size != batch.calls().size() && !thrown.containsKey(ALL))) {
            throw new ConnectorException(
                    "the Python process answered what it was not asked: " + size + " results for batch " + number);
        }
        complete(message, at, batch.calls(), thrown);
    }

    private void complete(byte[] message, int at, List<Call> calls, Map<Integer, Throwable> thrown) throws IOException {
        Throwable ofAll = thrown.get(ALL);
        MessageUnpacker in = MessagePack.newDefaultUnpacker(message, at, message.length - at);
        in.unpackArrayHeader();
        int begin = at;
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Throwable failure = ofAll == null ? thrown.get(i) : ofAll;
            if (failure != null) {
                if (ofAll == null) {
                    in.skipValue();
                }
                call.completeExceptionally(of(call.row, failure, ofAll == null ? 1 : calls.size()));
                continue;
            }
            long before = in.getTotalReadBytes();
            try {
                call.complete(shape.readPresent(in));
            } catch (MisfitException e) {
                call.completeExceptionally(new ConnectorException(where + program.function() + " returned "
                        + e.getMessage() + "; row " + NullValueException.shown(call.row)));
                begin += (int) before;
                in = MessagePack.newDefaultUnpacker(message, begin, message.length - begin);
                in.skipValue();
            }
        }
    }

    /** With the row that it is of. */
    private Throwable of(Object row, Throwable failure, int rows) {
        String shown = NullValueException.shown(row);
        return failure instanceof BadRecordException
                ? new BadRecordException(String.valueOf(failure.getMessage()), String.valueOf(row))
                : new ConnectorException(where
                        + failure.getMessage()
                        + (rows == 1 ? "; row " + shown : "; batch of " + rows + " rows, the first is " + shown));
    }
}
