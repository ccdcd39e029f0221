// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Schema;
import io.thalweg.api.operator.OrderFunction;
import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Prints records as an aligned table when the input has ended. Columns are the components of the record; those of
 * nested records take the place of their component; any other value is one column. Keeps at most {@code limit} rows,
 * the first in order, and says how many it left out. Runs in one task.
 *
 * <pre>{@code rows.to(Sinks.<Row>table("By day").sortedBy(OrderFunction.by(Row::day)).limit(20))}</pre>
 *
 * @param <T> records
 * @param title printed above the table
 * @param order null to keep the order of arrival
 * @param limit maximum number of rows
 */
public record TableSink<T>(String title, @Nullable OrderFunction<T> order, int limit) implements Sink<T> {
    /** Maximum number of rows if {@link #limit(int)} is not called. */
    public static final int DEFAULT_LIMIT = 1_000;

    /** The same table with its rows in this order. */
    public TableSink<T> sortedBy(OrderFunction<T> newOrder) {
        return new TableSink<>(title, newOrder, limit);
    }

    /** The same table with at most this many rows. */
    public TableSink<T> limit(int rows) {
        return new TableSink<>(title, order, rows);
    }

    @Override
    public String name() {
        return "table '" + title + "'";
    }

    @Override
    public int requiredParallelism() {
        return 1;
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        return new Writer<>(this, context);
    }

    private static final class Writer<T> implements CheckpointedWriter<T> {
        /** In place of a number of rows, in what older versions saved. */
        private static final long WITH_SCHEMA = -1;

        private final TableSink<T> table;
        private final PrintStream console;
        private final @Nullable Codec<Object> codec;
        private final List<T> rows = new ArrayList<>();
        private final @Nullable PriorityQueue<T> sorted;
        private final @Nullable Schema schema;
        private long seen;

        Writer(TableSink<T> table, SinkContext context) {
            this.table = table;
            console = context.console();
            codec = context.records();
            schema = codec == null ? null : Schema.of(codec);
            sorted = table.order == null ? null : new PriorityQueue<>(table.order.reversed());
        }

        @Override
        public void write(T value) {
            seen++;
            if (sorted != null) {
                sorted.add(value);
                if (sorted.size() > table.limit) {
                    sorted.poll();
                }
            } else if (rows.size() < table.limit) {
                rows.add(value);
            }
        }

        @Override
        public byte[] save(long checkpoint) {
            ByteWriter out = new ByteWriter(1024);
            if (schema != null) {
                out.writeVarLong(WITH_SCHEMA);
                schema.writeTo(out);
            }
            out.writeVarLong(seen);
            Collection<T> kept = sorted == null ? rows : sorted;
            if (codec != null) {
                kept.forEach(row -> codec.encode(row, out));
            }
            return out.toByteArray();
        }

        @Override
        public void restore(List<byte[]> saved) {
            for (byte[] each : saved) {
                try {
                    restore(new ByteReader(each));
                } catch (CodecException e) {
                    throw new ConnectorException(
                            "cannot restore the rows of table '" + table.title + "': " + e.getMessage()
                                    + "; restore them with the type that they had, or begin without them with --discard-state");
                }
            }
        }

        @SuppressWarnings("unchecked") // the rows were of this sink
        private void restore(ByteReader in) {
            long first = in.readVarLong();
            Codec<Object> reader = codec;
            if (first == WITH_SCHEMA) {
                Schema before = Schema.read(in);
                reader = codec == null ? null : before.reader(codec);
                first = in.readVarLong();
            }
            seen += first;
            while (in.remaining() > 0 && reader != null) {
                (sorted == null ? rows : sorted).add((T) reader.decode(in));
            }
        }

        @Override
        public void finish() {
            if (sorted != null && table.order != null) {
                rows.addAll(sorted);
                rows.sort(table.order);
            }
            StringBuilder text = new StringBuilder(table.title).append('\n');
            if (rows.isEmpty()) {
                text.append("  (no rows)\n");
            } else {
                print(text);
            }
            if (seen > rows.size()) {
                text.append("  … and ").append(seen - rows.size()).append(" more rows\n");
            }
            console.print(text);
            console.flush();
        }

        private void print(StringBuilder text) {
            List<Column> columns = new ArrayList<>();
            open("", new ArrayList<>(rows), columns);
            for (int row = -1; row < rows.size(); row++) {
                StringBuilder line = new StringBuilder();
                for (Column column : columns) {
                    line.append("  ").append(column.cell(row));
                }
                text.append(line.toString().stripTrailing()).append('\n');
            }
        }

        /** Where all values are records of one class, its components become columns, else the values one column. */
        private static void open(String name, List<@Nullable Object> values, List<Column> into) {
            List<Class<?>> classes = values.stream()
                    .filter(Objects::nonNull)
                    .<Class<?>>map(Object::getClass)
                    .distinct()
                    .limit(2)
                    .toList();
            if (classes.size() != 1 || !classes.get(0).isRecord()) {
                into.add(Column.of(name.isEmpty() ? "value" : name, values));
                return;
            }
            for (RecordComponent component : classes.get(0).getRecordComponents()) {
                component.getAccessor().setAccessible(true);
                List<@Nullable Object> parts = new ArrayList<>();
                values.forEach(value -> parts.add(value == null ? null : read(value, component)));
                open(component.getName(), parts, into);
            }
        }

        private static @Nullable Object read(Object record, RecordComponent component) {
            try {
                return component.getAccessor().invoke(record);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + component, e);
            }
        }
    }

    /** A column, with its name as its first cell; numbers stand right, all else left. */
    private record Column(List<String> cells, boolean numeric, int width) {
        static Column of(String name, List<@Nullable Object> values) {
            List<String> cells = new ArrayList<>(List.of(name));
            for (Object value : values) {
                cells.add(value == null ? "" : value instanceof Double number ? format(number) : value.toString());
            }
            boolean numeric = values.stream().allMatch(value -> value == null || value instanceof Number);
            int width = cells.stream().mapToInt(String::length).max().orElse(0);
            return new Column(cells, numeric, width);
        }

        /** @param row -1 for the name */
        String cell(int row) {
            String cell = cells.get(row + 1);
            String pad = " ".repeat(width - cell.length());
            return numeric ? pad + cell : cell + pad;
        }

        /** At most four decimals and no exponent if one can do without: a table is for reading. */
        private static String format(double number) {
            if (!(Math.abs(number) < 1e9)) {
                return Double.toString(number);
            }
            BigDecimal rounded = BigDecimal.valueOf(number)
                    .setScale(4, RoundingMode.HALF_EVEN)
                    .stripTrailingZeros();
            return rounded.setScale(Math.max(1, rounded.scale())).toPlainString();
        }
    }
}
