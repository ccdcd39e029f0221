// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.NullValueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
            while (true) {
                packer.clear();
                long before = packer.getTotalWrittenBytes(); // clear does not set it to zero
                int packed = 0;
                Call refused = null;
                while (packed < calls.size() && refused == null && packer.getTotalWrittenBytes() - before < ENOUGH) {
                    refused = pack(calls.get(packed));
                    packed++;
                }
                if (refused == null) {
                    Batch whole = new Batch(batch.number(), List.copyOf(calls.subList(0, packed)));
                    byte[] begin = begin(whole);
                    byte[] rows = taken();
                    return new Packed(
                            whole,
                            List.copyOf(calls.subList(packed, calls.size())),
                            out -> Message.write(out, begin, rows));
                }
                calls = new ArrayList<>(calls); // what it has written cannot be taken back: all others are packed again
                calls.remove(refused);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it writes to memory
        }
    }

    /** Leaves no large buffer behind. */
    private byte[] taken() {
        byte[] bytes = packer.toByteArray();
        if (bytes.length > 4 * ENOUGH) {
            packer = Packing.packer();
        }
        return bytes;
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

    /** The call, completed, if its row cannot be sent. */
    private @Nullable Call pack(Call call) throws IOException {
        long before = packer.getTotalWrittenBytes();
        try {
            Packing.pack(call.row, packer);
        } catch (RuntimeException e) {
            call.fail(
                    new ConnectorException(where + e.getMessage() + "; row " + NullValueException.shown(call.row), e));
            return call;
        }
        long bytes = packer.getTotalWrittenBytes() - before;
        if (bytes > largestRow) {
            call.fail(tooLarge(where, bytes, largestRow, call.row));
            return call;
        }
        return null;
    }

    static ConnectorException tooLarge(String where, long bytes, int largestRow, Object row) {
        return new ConnectorException(where + "a row has " + bytes + " bytes, and at most " + largestRow
                + " are sent to Python; allow more with largestRow(…); row " + NullValueException.shown(row));
    }
}
