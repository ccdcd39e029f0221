// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.columnar.Declared.Absent;
import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Declared.Table;
import io.thalweg.files.output.TextOutput;
import io.thalweg.files.record.EpochForm;
import io.thalweg.files.record.TextForm;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts a whole record to column values before any of them is written: a bad record leaves nothing behind. A record becomes
 * an {@code Object[]}, a collection a List, a map a Map; a value becomes a Boolean, a Long, a Float, a Double, a BigDecimal of
 * the scale of its column, a String or a byte[].
 */
public final class ColumnValues {
    private final Struct struct;
    private final Writing writing;

    /**
     * @param struct the record class
     * @param writing how its columns are written
     */
    public ColumnValues(Struct struct, Writing writing) {
        this.struct = struct;
        this.writing = writing;
    }

    /**
     * Converts a record.
     *
     * @return one value for each component, null for a null
     * @throws BadRecordException if a value does not fit its column; the message names the component
     * @throws Exception what an accessor of the record threw
     */
    public @Nullable Object[] apart(Object record) throws Exception {
        try {
            return ofStruct(struct, record);
        } catch (Misfit e) {
            throw new BadRecordException("'" + e.path + "': " + e.getMessage(), String.valueOf(record));
        }
    }

    private @Nullable Object[] ofStruct(Struct type, Object record) throws Exception {
        @Nullable Object[] values = new @Nullable Object[type.parts().size()];
        for (int i = 0; i < values.length; i++) {
            try {
                values[i] = ofPart(type.parts().get(i), type.shape().value(record, i));
            } catch (Misfit e) {
                throw e.in(type.shape().names().get(i));
            }
        }
        return values;
    }

    private @Nullable Object ofPart(Part part, @Nullable Object held) throws Exception {
        Object value = part.given(held);
        if (value == null) {
            if (part.absent() == Absent.REFUSED) {
                throw new Misfit("it is null, and may be only if it is declared as @Nullable or Optional");
            }
            return null;
        }
        if (part.type() instanceof Struct nested) {
            return ofStruct(nested, value);
        }
        if (part.type() instanceof Many many) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (Object element : many.elements(value)) {
                elements.add(ofPart(many.element(), element));
            }
            return elements;
        }
        if (part.type() instanceof Table table) {
            Map<String, @Nullable Object> entries = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                if (entry.getKey() == null) {
                    throw new Misfit("a key of the map is null");
                }
                entries.put(text((String) entry.getKey()), ofPart(table.values(), entry.getValue()));
            }
            return entries;
        }
        return part.type() instanceof Scalar scalar ? ofScalar(scalar, value) : ofValue(value);
    }

    private Object ofScalar(Scalar scalar, Object value) {
        TextForm form = scalar.form();
        EpochForm epoch = scalar.epoch();
        if (form != null) {
            return text(form.print().apply(value));
        }
        if (epoch == null) {
            return ofValue(value);
        }
        if (epoch.number((Instant) value) instanceof Long number) {
            return number;
        }
        throw new Misfit(value + " is finer than " + epoch.unit() + ", or out of their range; truncate it, or use a"
                + " smaller unit in @Epoch");
    }

    private Object ofValue(Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Boolean || value instanceof Double || value instanceof Float || value instanceof byte[]) {
            return value;
        }
        if (value instanceof String text) {
            return text(text);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof BigDecimal || value instanceof BigInteger) {
            return decimal(value);
        }
        return ofTime(value);
    }

    private static String text(String text) {
        if (TextOutput.firstUnpaired(text, 0) >= 0) {
            throw new Misfit("the text contains half a surrogate pair, which UTF-8 cannot encode");
        }
        return text;
    }

    private BigDecimal decimal(Object value) {
        BigDecimal decimal = value instanceof BigInteger whole ? new BigDecimal(whole) : (BigDecimal) value;
        int precision = writing.precisionOf(value.getClass());
        int scale = writing.scaleOf(value.getClass());
        BigDecimal scaled = scaled(decimal, precision, scale);
        if (scaled != null) {
            return scaled;
        }
        throw new Misfit(shortened(decimal) + " does not fit a decimal of " + precision + " digits, " + scale
                + " of them after the point; see decimals");
    }

    /** The same number with this scale; null if it has more digits than that, before the point or after it. */
    public static @Nullable BigDecimal scaled(BigDecimal decimal, int precision, int scale) {
        if (decimal.signum() == 0) {
            return BigDecimal.ZERO.setScale(scale);
        }
        BigDecimal least = decimal.stripTrailingZeros();
        // Its size first: to give 1e999999999 or 1e-100000000 a scale would take all memory, or hours.
        boolean fits = (long) least.precision() - least.scale() <= (long) precision - scale && least.scale() <= scale;
        return fits ? least.setScale(scale) : null;
    }

    private static String shortened(BigDecimal decimal) {
        String text = decimal.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    private Object ofTime(Object value) {
        int digits = writing.timeDigits();
        try {
            if (value instanceof LocalDate day) {
                return (long) Math.toIntExact(day.toEpochDay());
            }
            if (value instanceof LocalTime time) {
                return Times.units(time.toNanoOfDay(), digits);
            }
            if (value instanceof Instant instant) {
                return Times.units(instant, digits);
            }
            return value instanceof LocalDateTime local
                    ? Times.units(local.toInstant(ZoneOffset.UTC), digits)
                    : value.toString(); // an OffsetDateTime keeps its offset as a text only
        } catch (ArithmeticException | DateTimeException e) {
            throw new Misfit(
                    digits == 6
                            ? value + " is out of range or finer than a microsecond; truncate it, or see nanoseconds"
                            : value + " is out of the range of nanoseconds in 64 bits");
        }
    }

    /** Its message is the reason. */
    private static final class Misfit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String path;

        Misfit(String reason) {
            this(reason, "");
        }

        private Misfit(String reason, String path) {
            super(reason, null, false, false);
            this.path = path;
        }

        Misfit in(String component) {
            return new Misfit(String.valueOf(getMessage()), path.isEmpty() ? component : component + "." + path);
        }
    }
}
