// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.files.output.OutputFiles;
import io.thalweg.files.output.RowFormat;
import java.io.Serializable;
import java.util.List;

/** Writes rows in a format without options. */
record RowSink<T>(OutputFiles files, Format<T> format) implements Sink<T> {
    interface Format<T> extends Serializable {
        RowFormat<T> make();
    }

    @Override
    public String name() {
        return files.name();
    }

    @Override
    public List<WriteTarget> writes() {
        return files.writes();
    }

    @Override
    public int requiredParallelism() {
        return files.requiredParallelism();
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        return files.open(context, format.make());
    }
}
