// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values that all formats write as a text in a form of its own: those of java.time as ISO 8601 has them or as a
 * {@link Pattern} says, UUIDs, and the constants of an enum by their names.
 *
 * @param form {@code "a date such as 2024-02-29"}
 * @param function the value that a text says; null, or a DateTimeException or IllegalArgumentException, if it has another form
 * @param print the text of a value
 */
public record TextForm(String form, Function<String, @Nullable Object> function, Function<Object, String> print) {
    private static final int UUID_LENGTH = 36;

    /** Of a text that is shown in a message. */
    private static final int SHOWN_CHARACTERS = 40;

    private static final Map<Class<?>, TextForm> FORMS = Map.ofEntries(
            plain(Instant.class, "an instant such as 2024-02-29T12:30:00Z", Instant::parse),
            plain(LocalDate.class, "a date such as 2024-02-29", LocalDate::parse),
            plain(LocalTime.class, "a time such as 12:30:00", LocalTime::parse),
            plain(LocalDateTime.class, "a date and time such as 2024-02-29T12:30:00", LocalDateTime::parse),
            plain(
                    OffsetDateTime.class,
                    "a date, time and offset such as 2024-02-29T12:30:00+01:00",
                    OffsetDateTime::parse),
            plain(
                    ZonedDateTime.class,
                    "a date, time and zone such as 2024-02-29T12:30:00+01:00[Europe/Berlin]",
                    ZonedDateTime::parse),
            plain(Duration.class, "a duration such as PT1H30M", Duration::parse),
            plain(UUID.class, "a UUID such as 123e4567-e89b-12d3-a456-426614174000", TextForm::uuid));

    private static Map.Entry<Class<?>, TextForm> plain(
            Class<?> type, String form, Function<String, @Nullable Object> parse) {
        return Map.entry(type, new TextForm(form, parse, Object::toString));
    }

    /** Null if values of the class are not written so. */
    public static @Nullable TextForm of(Class<?> type) {
        return type.isEnum() ? ofEnum(type) : FORMS.get(type);
    }

    private static TextForm ofEnum(Class<?> type) {
        Map<String, @Nullable Object> byName = new LinkedHashMap<>();
        for (Object constant : type.getEnumConstants()) {
            byName.put(((Enum<?>) constant).name(), constant);
        }
        return new TextForm("one of " + byName.keySet(), byName::get, constant -> ((Enum<?>) constant).name());
    }

    /** The JDK would take {@code 1-1-1-1-1} too, and of a group that is too long the last digits. */
    private static @Nullable Object uuid(String text) {
        UUID uuid = text.length() == UUID_LENGTH ? UUID.fromString(text) : null;
        return uuid != null && uuid.toString().equalsIgnoreCase(text) ? uuid : null;
    }

    /** Null if the text has another form. */
    public @Nullable Object parse(String text) {
        try {
            return function.apply(text);
        } catch (DateTimeException | IllegalArgumentException e) {
            return null;
        }
    }

    /** What is to be said of a text in another form. */
    public String expected(String text) {
        boolean all = text.length() <= SHOWN_CHARACTERS;
        return form + " is expected, found '" + (all ? text : text.substring(0, SHOWN_CHARACTERS) + "…") + "'";
    }
}
