// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Encoder;
import io.thalweg.files.json.JsonFormat;
import io.thalweg.files.output.TextOutput;

/** One JSON object a message. */
record JsonEncoder<R>() implements Encoder<R> {
    private static final long serialVersionUID = 1L;

    @Override
    public Encoding<R> open() {
        JsonFormat<R> format = new JsonFormat<>();
        TextOutput output = TextOutput.memory();
        return value -> {
            try {
                format.row(value, output);
                return output.takeRow();
            } finally {
                output.dropRow();
            }
        };
    }
}
