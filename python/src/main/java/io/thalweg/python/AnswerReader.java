// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.python.arrow.Columns;
import io.thalweg.python.text.MalformedTextException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;

/** Completes rows with what the process answered. Used by one thread. */
final class AnswerReader {
    /** Of the function as a whole, for functions of batches. */
    private static final int ALL = -1;

    private final String where;
    private final Task task;
    private final Shape shape;
    private final @Nullable Columns columns;
    private final AtomicLong functionNs = new AtomicLong();
    private final AtomicLong waitedNs = new AtomicLong();

    /** @param columns of results as record batches; null if there are none */
    AnswerReader(String where, Task task, Shape shape, @Nullable Columns columns) {
        this.where = where;
        this.task = task;
        this.shape = shape;
        this.columns = columns;
    }

    /**
     * Reads the results of a batch.
     *
     * @param batches removes and returns the batch of a number; null if it was not asked for
     * @return that batch
     */
    Batch read(Message.Received message, LongFunction<@Nullable Batch> batches) throws IOException {
        return message.arrow() ? readColumns(message.bytes(), batches) : readRows(message.bytes(), batches);
    }

    /** How long the function has taken, as far as processes say: not where they answer in columns. Any thread. */
    long functionNs() {
        return functionNs.get();
    }

    /** How long processes have waited for rows, as far as they say. Any thread. */
    long waitedNs() {
        return waitedNs.get();
    }

    private Batch readColumns(byte[] message, LongFunction<@Nullable Batch> batches) throws IOException {
        if (columns == null || message.length < Long.BYTES) {
            throw new ConnectorException("the Python process sent a record batch that nobody asked for");
        }
        long number = ByteBuffer.wrap(message).getLong();
        Columns.Received received = columns.read(message, Long.BYTES);
        return answer(batches.apply(number), number, received.rows(), batch -> {
            for (int i = 0; i < batch.calls().size(); i++) {
                Call call = batch.calls().get(i);
                try {
                    call.complete(shape.ofColumns(received.row(i)));
                } catch (MalformedTextException e) {
                    call.fail(new BadRecordException(
                            "the result of " + task.program().function() + " cannot be read: " + e.getMessage(),
                            String.valueOf(call.row)));
                } catch (MisfitException e) {
                    call.fail(misfit(e, call));
                }
            }
        });
    }

    private ConnectorException misfit(MisfitException e, Call call) {
        return new ConnectorException(where + task.program().function() + " returned " + e.getMessage() + "; row "
                + NullValueException.shown(call.row));
    }

    /** Completes the calls of a batch. */
    private interface Answers {
        void complete(Batch batch) throws IOException;
    }

    /**
     * Completes the calls of a batch, all of them also if the answer breaks off: nobody else has its rows any more.
     *
     * @param batch null if it was not asked for
     * @param results how many there are; -1 if the function failed as a whole
     */
    private static Batch answer(@Nullable Batch batch, long number, int results, Answers answers) throws IOException {
        try {
            if (batch == null || (results >= 0 && results != batch.calls().size())) {
                throw new ConnectorException("the Python process answered what it was not asked: " + results
                        + " results for batch " + number);
            }
            answers.complete(batch);
            return batch;
        } catch (IOException | RuntimeException | Error e) {
            if (batch != null) {
                batch.fail(e);
            }
            throw e;
        }
    }

    /**
     * Reads the results of a batch as MessagePack: its number, how long the function took and the process had waited, the reasons of bad rows and the exceptions of rows that failed, both by the place of
     * the row, with keys their new states, and the results.
     */
    private Batch readRows(byte[] message, LongFunction<@Nullable Batch> batches) throws IOException {
        MessageUnpacker in = MessagePack.newDefaultUnpacker(message);
        int parts = in.unpackArrayHeader();
        int kind = in.unpackInt();
        if (kind != Message.RESULTS || parts != (task.keyed() ? 7 : 6)) {
            throw new ConnectorException("the Python process sent a message of unknown kind " + kind);
        }
        long number = in.unpackLong();
        in.unpackArrayHeader();
        functionNs.addAndGet(in.unpackLong());
        waitedNs.addAndGet(in.unpackLong());
        Map<Integer, Throwable> thrown = new HashMap<>();
        for (int left = in.unpackMapHeader(); left > 0; left--) {
            thrown.put(in.unpackInt(), new BadRecordException(in.unpackString(), new byte[0]));
        }
        for (int left = in.unpackMapHeader(); left > 0; left--) {
            int row = in.unpackInt();
            in.unpackArrayHeader();
            thrown.put(row, new ConnectorException(RowFailure.read(in).message()));
        }
        List<byte @Nullable []> states = task.keyed() ? states(in) : List.of();
        int at = (int) in.getTotalReadBytes();
        int size = in.unpackArrayHeader();
        return answer(batches.apply(number), number, thrown.containsKey(ALL) ? -1 : size, batch -> {
            if (task.keyed()) {
                put(states, batch);
            }
            complete(message, at, batch.calls(), thrown);
        });
    }

    private static List<byte @Nullable []> states(MessageUnpacker in) throws IOException {
        List<byte @Nullable []> states = new ArrayList<>();
        for (int left = in.unpackArrayHeader(); left > 0; left--) {
            states.add(in.tryUnpackNil() ? null : in.readPayload(in.unpackBinaryHeader()));
        }
        return states;
    }

    /** Before their rows are completed: whoever hears of the last one finds the state that it has left. */
    private static void put(List<byte @Nullable []> states, Batch batch) {
        List<Batch.OfKey> keys = batch.keys();
        if (states.size() != keys.size()) {
            throw new ConnectorException("the Python process answered what it was not asked: " + states.size()
                    + " states for " + keys.size() + " keys");
        }
        for (int i = 0; i < keys.size(); i++) {
            keys.get(i).key().state = states.get(i);
        }
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
                call.fail(of(call.row, failure, ofAll == null ? 1 : calls.size()));
                continue;
            }
            long before = in.getTotalReadBytes();
            try {
                call.complete(shape.readPresent(in));
            } catch (MisfitException e) {
                call.fail(misfit(e, call));
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
