// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.python.arrow.Columns;
import io.thalweg.python.text.HalfPairException;
import java.util.ArrayList;
import java.util.List;

/** Puts batches into columns. Used by one thread. */
final class ArrowWriter {
    /** Rows are added until a batch has so many bytes. */
    private static final int ENOUGH = 4 << 20;

    private final String where;
    private final int largestRow;
    private final Columns columns;

    ArrowWriter(String where, int largestRow, Columns columns) {
        this.where = where;
        this.largestRow = largestRow;
        this.columns = columns;
    }

    /** Rows that cannot be sent have failed, and are not in it. */
    Packed pack(Batch batch) {
        List<Call> calls = batch.calls();
        List<Call> kept = new ArrayList<>(calls.size());
        columns.clear();
        int next = 0;
        while (next < calls.size() && columns.bytes() < ENOUGH) {
            Call call = calls.get(next++);
            if (put(call)) {
                kept.add(call);
            }
        }
        Batch whole = new Batch(batch.number(), List.copyOf(kept));
        Columns.Message message = columns.message();
        return new Packed(
                whole,
                List.copyOf(calls.subList(next, calls.size())),
                out -> Message.write(out, whole.number(), message));
    }

    /** False if its row cannot be sent: then it has failed. */
    private boolean put(Call call) {
        long bytes;
        try {
            bytes = columns.put(call.row);
        } catch (HalfPairException e) {
            call.fail(BatchWriter.bad(e, call.row));
            return false;
        } catch (RuntimeException e) {
            call.fail(
                    new ConnectorException(where + e.getMessage() + "; row " + NullValueException.shown(call.row), e));
            return false;
        }
        if (bytes > largestRow) {
            call.fail(BatchWriter.tooLarge(where, bytes, largestRow, call.row));
            return false;
        }
        columns.keep(bytes);
        return true;
    }
}
