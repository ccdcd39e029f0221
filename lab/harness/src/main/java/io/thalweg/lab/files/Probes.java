// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomGenerator;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSource;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The telecom records as lines of JSON, and what jobs must make of them, from the records and not from the lines. */
final class Probes {
    private static final TelecomSize SIZE = TelecomSize.TYPICAL;

    private Probes() {}

    static void write(Path file, long records) throws IOException {
        TelecomSource<byte[]> source =
                TelecomSource.jsonLines(TelecomSettings.of(SIZE).withRecords(records));
        SplitReader<byte[]> split = source.open(source.splits(1).get(0), new NoBadRecords());
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            for (long i = 0; i < records; i++) {
                byte[] line = poll(split);
                if (line == null) {
                    throw new IllegalStateException("only " + i + " lines of " + records);
                }
                out.write(line);
                out.write('\n');
            }
        }
    }

    private static byte @Nullable [] poll(SplitReader<byte[]> split) throws IOException {
        try {
            return split.poll();
        } catch (Exception e) {
            throw new IOException("the telecom records cannot be made: " + e.getMessage(), e);
        }
    }

    /** The names and types of all fields, for engines that want to be told: {@code {"time": "long", "cell": {"cellId": "String", ...}, ...}}. */
    static void writeSchema(Path file) throws IOException {
        new ObjectMapper().writeValue(file.toFile(), schema(Probe.class));
    }

    private static Map<String, Object> schema(Class<?> record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent each : record.getRecordComponents()) {
            Class<?> type = each.getType();
            fields.put(each.getName(), type.isRecord() ? schema(type) : type.getSimpleName());
        }
        return fields;
    }

    static Supplier<Answer> groups(long records) {
        TelecomGenerator generator = new TelecomGenerator(SIZE);
        GroupsAnswer.Groups groups = new GroupsAnswer.Groups();
        for (long i = 0; i < records; i++) {
            Probe probe = generator.probe(i);
            groups.add(
                    List.of(probe.cell().city(), probe.service().app()),
                    Set.of(),
                    List.of(BigDecimal.ONE, BigDecimal.valueOf(probe.measures().bytesDown())));
        }
        return () -> groups.answer(List.of("city", "app", "n", "bytesDown"), 2);
    }

    static Supplier<Answer> totals(long records) {
        TelecomGenerator generator = new TelecomGenerator(SIZE);
        Totals totals = new Totals();
        for (long i = 0; i < records; i++) {
            totals.add(generator.probe(i));
        }
        GroupsAnswer.Groups groups = new GroupsAnswer.Groups();
        groups.add(
                List.of(),
                Set.of(),
                List.of(
                        BigDecimal.valueOf(records),
                        BigDecimal.valueOf(totals.chars),
                        BigDecimal.valueOf(totals.wholes),
                        BigDecimal.valueOf(totals.reals),
                        BigDecimal.valueOf(totals.truths)));
        return () -> groups.answer(List.of("n", "chars", "wholes", "reals", "truths"), 0);
    }

    /** By reflection, so that no field can be forgotten. */
    private static final class Totals {
        private final List<Field> fields = fields(Probe.class, new ArrayList<>(), new ArrayList<>());
        private long chars;
        private long wholes;
        private double reals;
        private long truths;

        private record Field(List<RecordComponent> path) {
            @Nullable Object of(Object record) {
                Object value = record;
                try {
                    for (RecordComponent each : path) {
                        value = each.getAccessor().invoke(value);
                    }
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
                return value;
            }
        }

        private static List<Field> fields(Class<?> record, List<RecordComponent> above, List<Field> found) {
            for (RecordComponent each : record.getRecordComponents()) {
                List<RecordComponent> path = new ArrayList<>(above);
                path.add(each);
                if (each.getType().isRecord()) {
                    fields(each.getType(), path, found);
                } else {
                    found.add(new Field(path));
                }
            }
            return found;
        }

        private void add(Probe probe) {
            for (Field each : fields) {
                Object value = each.of(probe);
                if (value instanceof String text) {
                    chars += text.length();
                } else if (value instanceof Long || value instanceof Integer) {
                    wholes += ((Number) value).longValue();
                } else if (value instanceof Number number) {
                    reals += number.doubleValue();
                } else if (value instanceof Boolean truth) {
                    truths += truth ? 1 : 0;
                } else if (value != null) {
                    throw new IllegalStateException("a field of " + value.getClass());
                }
            }
        }
    }

    private static final class NoBadRecords implements SourceContext {
        @Override
        public void bad(BadRecord record) {
            throw new IllegalStateException(record.describe());
        }

        @Override
        public long nowNs() {
            return 0;
        }
    }
}
