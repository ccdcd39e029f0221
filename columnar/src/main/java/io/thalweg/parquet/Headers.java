// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.InterningProtocol;
import org.apache.parquet.format.PageHeader;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.transport.TIOStreamTransport;

/**
 * Reads footers and headers of pages. Each element of a list takes a byte at least, so a list that is longer than the bytes that are
 * there is refused before anything is allocated for it.
 */
final class Headers {
    /** For a header without such values. */
    private static final int ENOUGH_BYTES = 1 << 16;

    private Headers() {}

    static FileMetaData footer(byte[] bytes) throws IOException {
        return read(new FileMetaData(), new ByteArrayInputStream(bytes), bytes.length, "its footer");
    }

    /** @param maxPageBytes its least and greatest value are no longer than the page */
    static PageHeader page(ByteRange bytes, int maxPageBytes) throws IOException {
        long most = Math.min(bytes.remaining(), Math.max(maxPageBytes, ENOUGH_BYTES));
        return read(new PageHeader(), bytes, most, "the header of a page");
    }

    private static <T extends TBase<?, ?>> T read(T into, InputStream from, long most, String what) throws IOException {
        TConfiguration limits = TConfiguration.custom()
                .setMaxMessageSize((int) Math.min(most, Integer.MAX_VALUE))
                .build();
        try {
            into.read(new InterningProtocol(new TCompactProtocol(new TIOStreamTransport(limits, from), most, most)));
            return into;
        } catch (TException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IOException(what + " is damaged: " + e.getMessage(), e);
        } catch (StackOverflowError e) {
            throw new IOException(what + " is damaged: it is nested too deeply", e);
        }
    }
}
