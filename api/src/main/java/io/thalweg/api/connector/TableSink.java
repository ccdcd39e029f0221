// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.operator.OrderFunction;
import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Prints records as an aligned table when the input has ended. Columns are the components of the record, those of
 * records inside it in their place; anything else is one column. Keeps at most {@code limit} rows, the first in order,
 * and says how many it left out.
 *
 * @param order null to keep the order of arrival
 */
public record TableSink<T>(String title, @Nullable OrderFunction<T> order, int limit) implements Sink<T> {
    public static final int DEFAULT_LIMIT = 1_000;

    public TableSink<T> sortedBy(OrderFunction<T> newOrder) {
        return new TableSink<>(title, newOrder, limit);
    }

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
        return new Writer<>(this, context.console());
    }

    private static final class Writer<T> implements SinkWriter<T> {
        private final TableSink<T> table;
        private final PrintStream console;
        private final List<T> rows = new ArrayList<>();
        private final @Nullable PriorityQueue<T> sorted;
        private long seen;

        Writer(TableSink<T> table, PrintStream console) {
            this.table = table;
            this.console = console;
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
            List<List<String>> lines = new ArrayList<>();
            List<String> header = new ArrayList<>();
            names(rows.get(0), "", header);
            lines.add(header);
            List<Boolean> numeric = new ArrayList<>();
            for (T row : rows) {
                List<@Nullable Object> cells = new ArrayList<>();
                cells(row, cells);
                List<String> line = new ArrayList<>();
                for (int i = 0; i < cells.size(); i++) {
                    Object cell = cells.get(i);
                    line.add(cell == null ? "" : cell instanceof Double number ? format(number) : cell.toString());
                    if (numeric.size() <= i) {
                        numeric.add(true);
                    }
                    numeric.set(i, numeric.get(i) && (cell == null || cell instanceof Number));
                }
                lines.add(line);
            }
            int[] widths = new int[header.size()];
            for (List<String> line : lines) {
                for (int i = 0; i < widths.length && i < line.size(); i++) {
                    widths[i] = Math.max(widths[i], line.get(i).length());
                }
            }
            for (List<String> line : lines) {
                appendLine(text, line, widths, numeric);
            }
        }

        private static void appendLine(StringBuilder text, List<String> line, int[] widths, List<Boolean> numeric) {
            StringBuilder padded = new StringBuilder();
            for (int i = 0; i < widths.length && i < line.size(); i++) {
                String pad = " ".repeat(widths[i] - line.get(i).length());
                padded.append("  ").append(numeric.get(i) ? pad + line.get(i) : line.get(i) + pad);
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }

        /** At most four decimals: a table is for reading. */
        private static String format(double number) {
            double rounded = Math.rint(number * 1e4) / 1e4;
            return Math.abs(number) < 1e9 ? Double.toString(rounded) : Double.toString(number);
        }

        private static void names(@Nullable Object row, String name, List<String> into) {
            if (row instanceof Record record) {
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    names(read(record, component), component.getName(), into);
                }
            } else {
                into.add(name.isEmpty() ? "value" : name);
            }
        }

        private static void cells(@Nullable Object row, List<@Nullable Object> into) {
            if (row instanceof Record record) {
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    cells(read(record, component), into);
                }
            } else {
                into.add(row);
            }
        }

        private static @Nullable Object read(Record record, RecordComponent component) {
            try {
                component.getAccessor().setAccessible(true);
                return component.getAccessor().invoke(record);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + component, e);
            }
        }
    }
}
