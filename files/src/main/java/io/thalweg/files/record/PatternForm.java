// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import io.thalweg.api.operator.BadRecordException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQuery;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the form that a {@link Pattern} describes. */
final class PatternForm {
    /** What is read of a text, which for all but the local classes is a time in a zone. */
    private static final Map<Class<?>, TemporalQuery<?>> LOCAL = Map.of(
            LocalDate.class, LocalDate::from,
            LocalTime.class, LocalTime::from,
            LocalDateTime.class, LocalDateTime::from);

    private static final Map<Class<?>, TemporalQuery<?>> ZONED = Map.of(
            Instant.class, text -> ZonedDateTime.from(text).toInstant(),
            OffsetDateTime.class, text -> ZonedDateTime.from(text).toOffsetDateTime(),
            ZonedDateTime.class, ZonedDateTime::from);

    private PatternForm() {}

    /** @throws IllegalArgumentException if values of the class cannot have such a form; says why */
    static TextForm of(Pattern pattern, Class<?> type) {
        boolean zoned = ZONED.containsKey(type);
        TemporalQuery<?> query = zoned ? ZONED.get(type) : LOCAL.get(type);
        if (query == null) {
            throw new IllegalArgumentException("@Pattern is for the dates and times of java.time");
        }
        String letters = pattern.value().replaceAll("'[^']*'", "");
        boolean named = letters.matches(".*[VzOXxZ].*");
        if (zoned && !named && pattern.zone().isEmpty()) {
            throw new IllegalArgumentException("@Pattern(\"" + pattern.value() + "\") does not say which zone its times are" + " in; add zone = \"UTC\", or another one");
        }
        if (!zoned && !pattern.zone().isEmpty()) {
            throw new IllegalArgumentException(
                    "@Pattern says a zone, and " + type.getSimpleName() + " has none; use Instant or ZonedDateTime");
        }
        DateTimeFormatter formatter = formatter(pattern, letters);
        ZoneId zone = pattern.zone().isEmpty() ? null : ZoneId.of(pattern.zone());
        Years years = Years.of(letters);
        return new TextForm(
                "a text such as " + example(formatter, pattern), text -> formatter.parse(text, query), value -> {
                    TemporalAccessor printable = printable(value, zone);
                    if (printable.isSupported(ChronoField.YEAR) && !years.have(printable.get(ChronoField.YEAR))) {
                        throw new BadRecordException(
                                "the year of " + value + " would be read as another one: @Pattern(\"" + pattern.value() + "\") writes " + years.written,
                                value.toString());
                    }
                    return formatter.format(printable);
                });
    }

    /** Those that are not read as others when they are written by a pattern. */
    private record Years(int least, int most, String written) {
        static Years of(String letters) {
            if (letters.matches("(.*[^yu])?(yy|uu)([^yu].*)?")) {
                return new Years(2000, 2099, "two digits of it"); // as the JDK reads them
            }
            boolean era = letters.contains("G") || !letters.contains("y");
            return new Years(era ? Year.MIN_VALUE : 1, Year.MAX_VALUE, "no era");
        }

        boolean have(int year) {
            return year >= least && year <= most;
        }
    }

    /** Strict, so that no day is moved to another; then {@code yyyy} would ask for an era. */
    private static DateTimeFormatter formatter(Pattern pattern, String letters) {
        if (letters.contains("Y") && !letters.contains("w")) {
            throw new IllegalArgumentException("@Pattern(\"" + pattern.value() + "\"): Y is the year of a week, which at its turn is not that of the day; write y");
        }
        try {
            DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().appendPattern(pattern.value());
            if (letters.contains("y") && !letters.contains("G")) {
                builder.parseDefaulting(ChronoField.ERA, 1);
            }
            DateTimeFormatter formatter = builder.toFormatter(Locale.forLanguageTag(pattern.locale()))
                    .withResolverStyle(ResolverStyle.STRICT);
            return pattern.zone().isEmpty() ? formatter : formatter.withZone(ZoneId.of(pattern.zone()));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException("@Pattern(\"" + pattern.value() + "\"): " + e.getMessage(), e);
        }
    }

    /** A time in a zone is printed in the zone that is said; otherwise in its own, and an instant in UTC. */
    private static TemporalAccessor printable(Object value, @Nullable ZoneId zone) {
        if (value instanceof Instant instant) {
            return instant.atZone(zone == null ? ZoneOffset.UTC : zone);
        }
        TemporalAccessor printed = (TemporalAccessor) value;
        return zone == null ? printed : Instant.from(printed).atZone(zone);
    }

    private static String example(DateTimeFormatter formatter, Pattern pattern) {
        try {
            return formatter.format(ZonedDateTime.parse("2024-02-29T12:30:00Z"));
        } catch (DateTimeException e) {
            return pattern.value();
        }
    }
}
