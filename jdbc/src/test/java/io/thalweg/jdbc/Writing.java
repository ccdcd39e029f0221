// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkReports;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.BadRecordException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes records as a job does, and keeps what the sink refuses. Pauses are counted and not waited for. */
final class Writing {
    /** Refused by the database. */
    final List<BadRecord> bad = new ArrayList<>();

    /** Refused by the sink, before. */
    final List<String> refused = new ArrayList<>();

    final List<Long> pauses = new ArrayList<>();

    /** @param type of the records, for a job with checkpoints */
    SinkContext context(String topology, Guarantee guarantee, long checkpoint, @Nullable Class<?> type) {
        @SuppressWarnings({"unchecked", "rawtypes"}) // of the records
        Codec<Object> codec = type == null ? null : (Codec) Type.of(type).codec();
        SinkReports reports = bad::add;
        return new SinkContext(topology, "out", 0, 1, System.out, codec, guarantee, checkpoint, "run", reports);
    }

    <T extends Record> SinkWriter<T> open(JdbcSink<T> sink, SinkContext context) throws Exception {
        return sink.open(context, pauses::add);
    }

    /** In a job without checkpoints. */
    @SafeVarargs
    final <T extends Record> void write(JdbcSink<T> sink, T... records) throws Exception {
        SinkContext context = context("job", Guarantee.NONE, SinkContext.NO_CHECKPOINTS, null);
        SinkWriter<T> writer = open(sink, context);
        try {
            for (T each : records) {
                try {
                    writer.write(each);
                } catch (BadRecordException e) {
                    refused.add(String.valueOf(e.getMessage()));
                }
            }
            writer.finish();
        } finally {
            writer.close();
        }
    }

    /** The dead letters, each as its row. */
    List<String> badRows() {
        return bad.stream()
                .map(each -> new String(each.bytes(), StandardCharsets.UTF_8))
                .toList();
    }
}
