// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.connector.CheckpointedWriter;
import java.util.List;

/** Writes rows to a file, whole or not at all. */
public final class RowWriter<T> implements CheckpointedWriter<T> {
    private final TextOutput output;
    private final RowFormat<T> format;
    private boolean prepared;

    /**
     * Writes the header at once.
     *
     * @param output the file of one task; closed by this writer
     * @param format used by this writer only
     */
    public RowWriter(TextOutput output, RowFormat<T> format) {
        this.output = output;
        this.format = format;
        format.header(output);
    }

    @Override
    public void write(T row) throws Exception {
        try {
            format.row(row, output);
        } catch (Exception e) {
            output.dropRow();
            throw e;
        }
        output.endRow(format.lines());
    }

    @Override
    public byte[] save(long checkpoint) throws Exception {
        format.flush(output);
        output.endRows();
        return output.save(checkpoint == 0);
    }

    @Override
    public void commit(long checkpoint) {
        output.completed();
    }

    @Override
    public void restore(List<byte[]> saved) {
        saved.forEach(output::resume); // one task writes one file
    }

    @Override
    public void prepare() throws Exception {
        if (!prepared) {
            format.footer(output);
            output.endRows();
            output.prepare();
            prepared = true;
        }
    }

    @Override
    public void finish() throws Exception {
        prepare();
        output.finish();
    }

    @Override
    public void close() {
        output.close();
    }
}
