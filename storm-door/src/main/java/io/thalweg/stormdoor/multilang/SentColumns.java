// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.python.arrow.Columns;
import io.thalweg.python.text.HalfPairException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Constants;
import org.apache.storm.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Tuples as record batches: a batch for each stream that they come from, a column for each field, and their ids in the last column.
 * The types of columns follow from the values. Where a value is of another type than those before it, another batch begins.
 */
final class SentColumns {
    /** The column of ids, behind those of the fields. */
    private static final String IDS = "";

    /** A batch is written when its values have so many bytes. */
    private static final int ENOUGH = 1 << 20;

    /** Where batches are written to. */
    interface Frames {
        /** What batches of this number are from now on. */
        void schema(int number, String component, String stream, byte[] schema) throws IOException;

        void batch(int number, Columns.Message batch) throws IOException;
    }

    private record Source(String component, String stream) {}

    /** What is sent of one stream. */
    private static final class Sending {
        private final int number;
        private final Source source;
        private final List<String> names;
        private final List<@Nullable Object[]> rows = new ArrayList<>();
        private ColumnKind[] kinds = {};
        private Columns columns = Columns.ofFields(List.of(), List.of());

        private Sending(int number, Source source, Tuple first) {
            this.number = number;
            this.source = source;
            names = new ArrayList<>(first.getFields().toList());
            names.add(IDS);
        }
    }

    private final Map<Source, Sending> sources = new LinkedHashMap<>();

    /** Where the tuple before came from. */
    private @Nullable Sending last;

    /**
     * Keeps it for {@link #write}; false if it is none of those that travel in columns.
     *
     * @throws ConnectorException if one of its values cannot be in a column, or has none; a line that names its field, or all values
     */
    boolean add(ToChild.Input in) {
        Tuple tuple = in.tuple();
        String component = tuple.getSourceComponent();
        String stream = tuple.getSourceStreamId();
        if (component.equals(Constants.SYSTEM_COMPONENT_ID)) {
            return false;
        }
        Sending sending = last;
        if (sending == null || !component.equals(sending.source.component) || !stream.equals(sending.source.stream)) {
            Source source = new Source(component, stream);
            sending = sources.computeIfAbsent(source, any -> new Sending(sources.size(), source, tuple));
            last = sending;
        }
        int fields = sending.names.size() - 1;
        if (tuple.size() != fields) {
            throw new ConnectorException(
                    "a tuple of '" + component + "' has " + tuple.size() + " values, and its stream '"
                            + stream + "' has " + fields + " fields, which are columns: "
                            + JsonFraming.shown(tuple.getValues().toString()));
        }
        @Nullable Object[] row = new Object[fields + 1];
        for (int i = 0; i < row.length - 1; i++) {
            row[i] = cell(tuple, i);
        }
        row[row.length - 1] = in.id();
        sending.rows.add(row);
        return true;
    }

    private static @Nullable Object cell(Tuple tuple, int field) {
        try {
            return ColumnKind.cell(tuple.getValue(field));
        } catch (IllegalArgumentException e) {
            throw new ConnectorException(
                    "field '" + tuple.getFields().get(field) + "' of '" + tuple.getSourceComponent() + "': "
                            + e.getMessage() + " of Arrow, as an ArrowBolt gets it; take tuples, with a Bolt, or emit"
                            + " booleans, whole numbers, doubles, text or bytes: "
                            + JsonFraming.shown(String.valueOf(tuple.getValue(field))),
                    e);
        }
    }

    /** Writes all that were added, but for those that are refused. */
    void write(Frames to, List<Framing.Refused> refused) throws IOException {
        for (Sending sending : sources.values()) {
            int from = 0;
            ColumnKind[] kinds = {};
            for (int at = 0; at < sending.rows.size(); at++) {
                ColumnKind[] more = both(kinds, sending.rows.get(at));
                if (more == null) {
                    write(sending, kinds, sending.rows.subList(from, at), to, refused);
                    from = at;
                    more = kinds(sending.rows.get(at));
                }
                kinds = more;
            }
            if (!sending.rows.isEmpty()) {
                write(sending, kinds, sending.rows.subList(from, sending.rows.size()), to, refused);
                sending.rows.clear();
            }
        }
    }

    private static ColumnKind[] kinds(@Nullable Object[] row) {
        ColumnKind[] kinds = new ColumnKind[row.length];
        Arrays.setAll(kinds, i -> ColumnKind.of(row[i]));
        return kinds;
    }

    /** The kinds of columns that hold this row too; null if there are none. */
    private static ColumnKind @Nullable [] both(ColumnKind[] kinds, @Nullable Object[] row) {
        ColumnKind[] its = kinds(row);
        for (int i = 0; i < kinds.length; i++) {
            ColumnKind both = ColumnKind.both(kinds[i], its[i]);
            if (both == null) {
                return null;
            }
            its[i] = both;
        }
        return its;
    }

    private static void write(
            Sending sending,
            ColumnKind[] kinds,
            List<@Nullable Object[]> rows,
            Frames to,
            List<Framing.Refused> refused)
            throws IOException {
        for (int i = 0; i < sending.kinds.length; i++) {
            if (kinds[i] == ColumnKind.NOTHING || kinds[i].type == sending.kinds[i].type) {
                kinds[i] = sending.kinds[i]; // a column keeps its type while its values allow it
            }
        }
        if (!Arrays.equals(kinds, sending.kinds)) {
            sending.kinds = kinds;
            sending.columns = Columns.ofFields(
                    sending.names, Arrays.stream(kinds).map(kind -> kind.type).toList());
            to.schema(sending.number, sending.source.component, sending.source.stream, sending.columns.schema());
        }
        Columns columns = sending.columns;
        columns.clear();
        for (@Nullable Object[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                if (kinds[i] == ColumnKind.REAL && row[i] instanceof Long whole) {
                    row[i] = (double) whole;
                }
            }
            try {
                columns.keep(columns.putValues(row));
            } catch (HalfPairException e) {
                refused.add(refused(sending.source, row, e));
            }
            if (columns.bytes() >= ENOUGH) {
                to.batch(sending.number, columns.message());
                columns.clear();
            }
        }
        if (columns.bytes() > 0) {
            to.batch(sending.number, columns.message());
        }
    }

    private static Framing.Refused refused(Source from, @Nullable Object[] row, HalfPairException problem) {
        List<@Nullable Object> values = Arrays.asList(row);
        int last = row.length - 1;
        return Framing.Refused.of(
                (Long) values.get(last), from.component, from.stream, values.subList(0, last), problem);
    }
}
