// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.List;

/** Keeps the bad records. */
public final class FakeContext implements SourceContext {
    public final List<BadRecord> bad = new ArrayList<>();

    @Override
    public void bad(BadRecord record) {
        bad.add(record);
    }

    @Override
    public long nowNs() {
        return 0;
    }

    /** All records of a source, split by split. */
    public <T> List<T> all(Source<T> source) throws Exception {
        List<T> all = new ArrayList<>();
        for (String split : source.splits(1)) {
            SplitReader<T> reader = source.open(split, this);
            try {
                rest(reader, all);
            } finally {
                reader.close();
            }
        }
        return all;
    }

    private static <T> void rest(SplitReader<T> reader, List<T> into) throws Exception {
        while (true) {
            T record = reader.poll();
            if (record != null) {
                into.add(record);
            } else if (reader.finished()) {
                return;
            }
        }
    }
}
