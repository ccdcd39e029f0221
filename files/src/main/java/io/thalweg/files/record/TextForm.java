// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values that all formats write as a text in a form of its own: those of java.time as ISO 8601 has them, and the constants
 * of an enum by their names.
 *
 * @param form {@code "a date such as 2024-02-29"}
 */
public record TextForm(String form, Function<String, @Nullable Object> function) {
    private static final Map<Class<?>, TextForm> TIMES = Map.of(
            Instant.class, new TextForm("an instant such as 2024-02-29T12:30:00Z", Instant::parse),
            LocalDate.class, new TextForm("a date such as 2024-02-29", LocalDate::parse),
            LocalTime.class, new TextForm("a time such as 12:30:00", LocalTime::parse),
            LocalDateTime.class, new TextForm("a date and time such as 2024-02-29T12:30:00", LocalDateTime::parse),
            OffsetDateTime.class,
                    new TextForm("a date, time and offset such as 2024-02-29T12:30:00+01:00", OffsetDateTime::parse));

    /** Null where values of the class are not written so. */
    public static @Nullable TextForm of(Class<?> type) {
        return type.isEnum() ? ofEnum(type) : TIMES.get(type);
    }

    private static TextForm ofEnum(Class<?> type) {
        Map<String, @Nullable Object> byName = new LinkedHashMap<>();
        for (Object constant : type.getEnumConstants()) {
            byName.put(((Enum<?>) constant).name(), constant);
        }
        return new TextForm("one of " + byName.keySet(), byName::get);
    }

    /** Null where the text has another form. */
    public @Nullable Object parse(String text) {
        try {
            return function.apply(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** What is to be said of a text in another form. */
    public String expected(String text) {
        return form + " is expected, found '" + text + "'";
    }
}
