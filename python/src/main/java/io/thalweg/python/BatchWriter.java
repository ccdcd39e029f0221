// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.python.text.HalfPairException;
import io.thalweg.python.text.Utf8;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePacker;

/** Packs batches. Used by one thread. */
final class BatchWriter {
    /** Rows are added until a batch has so many bytes. */
    private static final int ENOUGH = 1 << 20;

    private final String where;
    private final int largestRow;
    private final boolean keyed;
    private MessageBufferPacker packer = Packing.packer();

    /** What the packer had written before. */
    private long begun;

    /** @param keyed rows go with their keys and what is kept of these */
    BatchWriter(String where, int largestRow, boolean keyed) {
        this.where = where;
        this.largestRow = largestRow;
        this.keyed = keyed;
    }

    /** Rows that cannot be sent have failed, and are not in it. */
    Packed pack(Batch batch) {
        try {
            List<Call> calls = batch.calls();
            List<Call> kept = new ArrayList<>(calls.size());
            ByteArrayOutputStream before = new ByteArrayOutputStream(0);
            int next = 0;
            long bytes = 0;
            begin();
            while (next < calls.size() && before.size() + bytes < ENOUGH) {
                Call call = calls.get(next++);
                if (pack(call)) {
                    kept.add(call);
                    bytes = packer.getTotalWrittenBytes() - begun;
                } else { // what it has written cannot be taken back
                    before.write(packer.toByteArray(), 0, (int) bytes);
                    bytes = 0;
                    begin();
                }
            }
            Batch whole = new Batch(batch.number(), List.copyOf(kept));
            byte[] begin = begin(whole);
            byte[] rows = taken(before);
            return new Packed(
                    whole, List.copyOf(calls.subList(next, calls.size())), out -> Message.write(out, begin, rows));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it writes to memory
        }
    }

    private void begin() {
        packer.clear();
        begun = packer.getTotalWrittenBytes(); // clear does not set it to zero
    }

    /** All rows, behind those before the last one that was refused. Leaves no large buffer behind. */
    private byte[] taken(ByteArrayOutputStream before) {
        byte[] bytes = packer.toByteArray();
        if (bytes.length > 4 * ENOUGH) {
            packer = Packing.packer();
        }
        if (before.size() == 0) {
            return bytes;
        }
        before.writeBytes(bytes);
        return before.toByteArray();
    }

    private byte[] begin(Batch batch) throws IOException {
        return Message.bytes(out -> {
            out.packArrayHeader(keyed ? 4 : 3).packInt(Message.CALL).packLong(batch.number());
            if (keyed) {
                keys(batch.keys(), out);
            }
            out.packArrayHeader(batch.calls().size());
        });
    }

    /** The rows follow in the order of their keys. */
    private static void keys(List<Batch.OfKey> keys, MessagePacker out) throws IOException {
        out.packArrayHeader(keys.size());
        for (Batch.OfKey each : keys) {
            byte[] state = each.key().state;
            List<Call> calls = each.calls();
            boolean timed = calls.get(0).time != Call.TIMELESS;
            out.packArrayHeader(timed ? 4 : 3).writePayload(each.key().key);
            if (state == null) {
                out.packNil();
            } else {
                out.packBinaryHeader(state.length).writePayload(state);
            }
            out.packInt(calls.size());
            if (timed) {
                out.packArrayHeader(calls.size());
                for (Call call : calls) {
                    out.packLong(call.time);
                }
            }
        }
    }

    /** False if its row cannot be sent: then it has failed. */
    private boolean pack(Call call) throws IOException {
        long before = packer.getTotalWrittenBytes();
        try {
            Packing.pack(call.row, packer);
        } catch (HalfPairException e) {
            call.fail(bad(e, call.row));
            return false;
        } catch (RuntimeException e) {
            call.fail(
                    new ConnectorException(where + e.getMessage() + "; row " + NullValueException.shown(call.row), e));
            return false;
        }
        long bytes = packer.getTotalWrittenBytes() - before;
        if (bytes > largestRow) {
            call.fail(tooLarge(where, bytes, largestRow, call.row));
            return false;
        }
        return true;
    }

    /** A row with a text that cannot be sent. */
    static BadRecordException bad(HalfPairException e, Object row) {
        return new BadRecordException("it cannot be sent to Python: " + e.getMessage(), Utf8.escaped(row.toString()));
    }

    static ConnectorException tooLarge(String where, long bytes, int largestRow, Object row) {
        return new ConnectorException(where + "a row has " + bytes + " bytes, and at most " + largestRow
                + " are sent to Python; allow more with largestRow(…); row " + NullValueException.shown(row));
    }
}
