// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** How the records of a batch stand in the body of a request. */
enum BodyFormat {
    /** {@code [r,r,r]}. */
    ARRAY("application/json", "JSON arrays") {
        @Override
        void write(List<byte[]> records, ByteArrayOutputStream body) {
            char before = '[';
            for (byte[] each : records) {
                body.write(before);
                body.writeBytes(each);
                before = ',';
            }
            body.write(']');
        }
    },
    /** A line feed behind each. */
    LINES("application/x-ndjson", "lines") {
        @Override
        void write(List<byte[]> records, ByteArrayOutputStream body) {
            for (byte[] each : records) {
                body.writeBytes(each);
                body.write('\n');
            }
        }
    },
    /** One record, as it is. */
    SINGLE("application/json", "single records") {
        @Override
        void write(List<byte[]> records, ByteArrayOutputStream body) {
            if (records.size() != 1) {
                throw new IllegalStateException(records.size() + " records in a request of one");
            }
            body.writeBytes(records.get(0));
        }
    };

    private final String contentType;
    private final String words;

    BodyFormat(String contentType, String words) {
        this.contentType = contentType;
        this.words = words;
    }

    String contentType() {
        return contentType;
    }

    String words() {
        return words;
    }

    /** Bytes that stand before the first record. */
    int before() {
        return this == ARRAY ? 1 : 0;
    }

    abstract void write(List<byte[]> records, ByteArrayOutputStream body);

    byte[] body(List<byte[]> records) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        write(records, body);
        return body.toByteArray();
    }
}
