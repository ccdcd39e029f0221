// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.python.text.HalfPairException;
import io.thalweg.python.text.MalformedTextException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of one type as record batches: a column for each component of a record, and one column {@code value} for all else. Batches
 * are messages of Arrow's IPC format, without compression and dictionaries. Used by one thread.
 */
public final class Columns {
    /** The column of values that are no records. */
    public static final String SINGLE = "value";

    private static final byte SCHEMA = 1;
    private static final byte RECORD_BATCH = 3;
    private static final short VERSION = 4; // V5 of the metadata
    private static final int CONTINUATION = -1;
    private static final int ALIGNMENT = 8;
    private static final int COMPRESSION = 3;
    private static final byte[] PADDING = new byte[ALIGNMENT];

    private final List<Column> columns;

    /** Empty if values are no records. */
    private final List<MethodHandle> accessors;

    private int rows;
    private long bytes;

    private Columns(List<Column> columns, List<MethodHandle> accessors) {
        this.columns = columns;
        this.accessors = accessors;
    }

    /**
     * Columns that rows are put into. Characters, enums, UUIDs and decimals become text.
     *
     * @throws CodecException if one of its components cannot be a column; the message names it
     */
    public static Columns ofRows(Type<?> type) {
        return of(type, true);
    }

    /**
     * Columns that results are read from.
     *
     * @throws CodecException if one of its components cannot be a column; the message names it
     */
    public static Columns ofResults(Type<?> type) {
        return of(type, false);
    }

    /**
     * Columns of these names, whose values may be null.
     *
     * @param types {@code Void} for a column of nulls alone
     * @throws CodecException if values of one of the types cannot be a column; the message names it
     */
    public static Columns ofFields(List<String> names, List<? extends Class<?>> types) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            columns.add(column(names.get(i), names.get(i), types.get(i), true, false));
        }
        return new Columns(List.copyOf(columns), List.of());
    }

    private static Columns of(Type<?> type, boolean sent) {
        Class<?> raw = type.raw();
        if (!raw.isRecord()) {
            return new Columns(List.of(column(SINGLE, type.toString(), raw, false, sent)), List.of());
        }
        List<Column> columns = new ArrayList<>();
        List<MethodHandle> accessors = new ArrayList<>();
        for (RecordComponent component : raw.getRecordComponents()) {
            Class<?> of = component.getType();
            String name = component.getName();
            // what is sent may be null whatever is said of it; what is received may not
            boolean nullable =
                    sent ? !of.isPrimitive() : component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            columns.add(column(name, type + "." + name, Type.of(of).raw(), nullable, sent));
            accessors.add(accessor(component.getAccessor()));
        }
        if (columns.isEmpty()) {
            throw new CodecException(type + " has no components, and so no columns");
        }
        return new Columns(List.copyOf(columns), List.copyOf(accessors));
    }

    private static Column column(String name, String where, Class<?> raw, boolean nullable, boolean textToo) {
        Column column = Cells.of(name, raw, nullable, textToo);
        if (column == null) {
            throw new CodecException(where + ": a " + raw.getSimpleName() + " cannot be a column of Arrow; use boolean,"
                    + " whole numbers up to long, float, double, String, byte[], Instant or LocalDate");
        }
        return column;
    }

    private static MethodHandle accessor(Method accessor) {
        try {
            accessor.setAccessible(true);
            return MethodHandles.lookup().unreflect(accessor).asType(MethodType.methodType(Object.class, Object.class));
        } catch (IllegalAccessException e) {
            throw new ConnectorException(accessor + " cannot be called: " + e.getMessage(), e);
        }
    }

    /** The message with their names and types. */
    public byte[] schema() {
        FlatWriter out = new FlatWriter();
        FlatWriter.Table schema = message(out, SCHEMA, 0, 0, 4);
        int fields = out.vector(columns.size(), 4);
        schema.referToVector(1, fields);
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            FlatWriter.Table field = out.table(4, 1, 1, 4, 0, 4);
            out.refer(fields + 4 * i, field);
            field.refer(0, column.name)
                    .set(1, (byte) (column.nullable ? 1 : 0))
                    .set(2, column.type.tag)
                    .refer(3, column.type.write(out))
                    .referToVector(5, out.vector(0, 4));
        }
        return framed(out.bytes());
    }

    /** Begins a message. @return the table of its content, which has these fields */
    private static FlatWriter.Table message(FlatWriter out, byte kind, long body, int... sizes) {
        FlatWriter.Table message = out.table(2, 1, 4, 8);
        out.root(message);
        FlatWriter.Table content = out.table(sizes);
        message.set(0, VERSION).set(1, kind).refer(2, content).set(3, body);
        return content;
    }

    private static byte[] framed(byte[] metadata) {
        return ByteBuffer.allocate(8 + metadata.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(CONTINUATION)
                .putInt(metadata.length)
                .put(metadata)
                .array();
    }

    // ---- writing

    /** Begins a batch. */
    public void clear() {
        rows = 0;
        bytes = 0;
    }

    /** How many bytes the values in it have, roughly. */
    public long bytes() {
        return bytes;
    }

    /**
     * Puts a row, which {@link #keep} adds to the batch.
     *
     * @return how many bytes it has, roughly
     * @throws ConnectorException if a value is out of the range of its column
     * @throws HalfPairException if a text contains half a surrogate pair; the message names its column, if there are several
     */
    public long put(Object row) {
        if (accessors.isEmpty()) {
            return columns.get(0).put(rows, row);
        }
        long size = 0;
        for (int i = 0; i < columns.size(); i++) {
            size += put(i, component(accessors.get(i), row));
        }
        return size;
    }

    private int put(int at, @Nullable Object value) {
        Column column = columns.get(at);
        try {
            return column.put(rows, value);
        } catch (HalfPairException e) {
            throw e.in("field '" + column.name + "'");
        }
    }

    /** As {@link #put(Object)}, a row of these values, by the places of the columns. */
    public long putValues(@Nullable Object[] values) {
        long size = 0;
        for (int i = 0; i < values.length; i++) {
            size += put(i, values[i]);
        }
        return size;
    }

    /** Adds the row that was put last. */
    public void keep(long size) {
        rows++;
        bytes += size;
    }

    private static @Nullable Object component(MethodHandle accessor, Object record) {
        try {
            return accessor.invokeExact(record);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A buffer of the body. */
    private record Part(byte[] bytes, int length) {}

    /** A batch that is ready to be written, until the next one is begun. */
    public static final class Message {
        private final byte[] begin;
        private final List<Part> body;
        private final long length;

        private Message(byte[] begin, List<Part> body, long length) {
            this.begin = begin;
            this.body = body;
            this.length = length;
        }

        /** How many bytes are written. */
        public long length() {
            return begin.length + length;
        }

        /** @throws IOException if they cannot be written */
        public void writeTo(OutputStream out) throws IOException {
            out.write(begin);
            for (Part part : body) {
                out.write(part.bytes, 0, part.length);
                out.write(PADDING, 0, padding(part.length));
            }
        }
    }

    /** The rows that were kept. */
    public Message message() {
        List<Part> body = new ArrayList<>();
        columns.forEach(column -> column.buffers(rows, (part, length) -> body.add(new Part(part, length))));
        long length = body.stream()
                .mapToLong(part -> part.length + padding(part.length))
                .sum();
        FlatWriter out = new FlatWriter();
        FlatWriter.Table batch = message(out, RECORD_BATCH, length, 8, 4, 4);
        batch.set(0, (long) rows);
        int nodes = out.vector(columns.size(), 16);
        batch.referToVector(1, nodes);
        for (int i = 0; i < columns.size(); i++) {
            out.setLong(nodes + 16 * i, rows);
            out.setLong(nodes + 16 * i + 8, columns.get(i).nulls(rows));
        }
        int buffers = out.vector(body.size(), 16);
        batch.referToVector(2, buffers);
        long at = 0;
        for (int i = 0; i < body.size(); i++) {
            int size = body.get(i).length;
            out.setLong(buffers + 16 * i, at);
            out.setLong(buffers + 16 * i + 8, size);
            at += size + padding(size);
        }
        return new Message(framed(out.bytes()), body, length);
    }

    private static int padding(int length) {
        return -length & (ALIGNMENT - 1);
    }

    // ---- reading

    /** A batch that was received. */
    public final class Received {
        private final ByteBuffer in;
        private final int size;
        private final List<Column.Place> places;

        private Received(ByteBuffer in, int size, List<Column.Place> places) {
            this.in = in;
            this.size = size;
            this.places = places;
        }

        /** How many rows it has. */
        public int rows() {
            return size;
        }

        /**
         * The values of a row, by the places of the columns; null for those that are missing.
         *
         * @throws MalformedTextException if a text is no UTF-8; the message names its column
         */
        public @Nullable Object[] row(int row) {
            @Nullable Object[] values = new Object[columns.size()];
            for (int i = 0; i < values.length; i++) {
                Column column = columns.get(i);
                try {
                    values[i] = column.get(in, places.get(i), row);
                } catch (MalformedTextException e) {
                    throw e.in("column '" + column.name + "'");
                }
            }
            return values;
        }
    }

    /**
     * Reads a batch that has these columns.
     *
     * @param from where its message begins
     * @throws ConnectorException if it is none
     */
    public Received read(byte[] message, int from) {
        try {
            return received(ByteBuffer.wrap(message, from, message.length - from)
                    .slice()
                    .order(ByteOrder.LITTLE_ENDIAN));
        } catch (IndexOutOfBoundsException | ArithmeticException | IllegalArgumentException e) {
            throw new ConnectorException("what came from Python is no record batch: " + e.getMessage(), e);
        }
    }

    private Received received(ByteBuffer in) {
        int length = in.getInt(4);
        check(in.getInt(0) == CONTINUATION && length > 0, "its first bytes are others");
        FlatReader meta = new FlatReader(in.slice(8, length).order(ByteOrder.LITTLE_ENDIAN));
        int root = meta.root();
        check(meta.byteField(root, 1) == RECORD_BATCH, "it is of kind " + meta.byteField(root, 1));
        int batch = meta.table(root, 2);
        check(meta.field(batch, COMPRESSION) == 0, "it is compressed");
        int size = Math.toIntExact(meta.longField(batch, 0));
        int nodes = meta.vector(batch, 1);
        int buffers = meta.vector(batch, 2);
        int expected = columns.stream().mapToInt(Column::buffers).sum();
        check(
                size >= 0 && meta.elements(nodes) == columns.size() && meta.elements(buffers) == expected,
                "it has other columns");
        List<Column.Place> places = new ArrayList<>();
        int at = buffers;
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            check(meta.in().getLong(nodes + 16 * i) == size, "its columns have different lengths");
            boolean complete = meta.in().getLong(nodes + 16 * i + 8) == 0;
            places.add(place(column, meta, at, in, 8 + length, size, complete));
            at += 16 * column.buffers();
        }
        return new Received(in, size, List.copyOf(places));
    }

    /** Where the buffers of a column are, all within what was received. */
    private static Column.Place place(
            Column column, FlatReader meta, int buffers, ByteBuffer in, int body, int rows, boolean complete) {
        if (column.buffers() == 0) {
            return new Column.Place(-1, -1, -1);
        }
        int[] at = new int[column.buffers()];
        int[] sizes = new int[at.length];
        for (int i = 0; i < at.length; i++) {
            at[i] = Math.addExact(body, Math.toIntExact(meta.in().getLong(buffers + 16 * i)));
            sizes[i] = Math.toIntExact(meta.in().getLong(buffers + 16 * i + 8));
            check(
                    at[i] >= body && sizes[i] >= 0 && Math.addExact(at[i], sizes[i]) <= in.limit(),
                    "a buffer is not within it");
        }
        int last = at.length - 1;
        check(complete || sizes[0] >= Column.bytesOfBits(rows), "a buffer of validity is too short");
        check(last == 1 || sizes[1] >= 4L * (rows + 1), "a buffer of offsets is too short");
        Column.Place place = new Column.Place(complete ? -1 : at[0], at[1], at[last]);
        check(column.least(in, place, rows) <= sizes[last], "a buffer of values is too short");
        return place;
    }

    private static void check(boolean right, String problem) {
        if (!right) {
            throw new IllegalArgumentException(problem);
        }
    }
}
