// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsTest {
    enum Size {
        SMALL,
        VERY_LARGE
    }

    @Test
    void shouldFallBackToWhatHoldsOtherwise() {
        Settings settings = Settings.none();

        assertThat(settings.text("name", "x")).isEqualTo("x");
        assertThat(settings.number("records", 7)).isEqualTo(7);
        assertThat(settings.choice("size", Size.VERY_LARGE)).isEqualTo(Size.VERY_LARGE);
        assertThat(settings.has("name")).isFalse();
    }

    @Test
    void shouldReadTimesDecimalsFlagsAndLists() {
        Settings settings = with(Map.of(
                "ms", "250ms", "s", "10s", "m", "5m", "h", "2h", "d", "1d", "half", "0.5", "on", "true", "bare", "",
                "off", "false", "list", "a, b,c"));

        assertThat(settings.duration("ms", Duration.ZERO)).isEqualTo(Duration.ofMillis(250));
        assertThat(settings.duration("s", Duration.ZERO)).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.duration("m", Duration.ZERO)).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.duration("h", Duration.ZERO)).isEqualTo(Duration.ofHours(2));
        assertThat(settings.duration("d", Duration.ZERO)).isEqualTo(Duration.ofDays(1));
        assertThat(settings.duration("none", Duration.ofMillis(7))).isEqualTo(Duration.ofMillis(7));
        assertThat(settings.decimal("half", 1)).isEqualTo(0.5);
        assertThat(settings.decimal("none", 1.5)).isEqualTo(1.5);
        assertThat(settings.flag("on")).isTrue();
        assertThat(settings.flag("bare")).isTrue();
        assertThat(settings.flag("off")).isFalse();
        assertThat(settings.flag("none")).isFalse();
        assertThat(settings.list("list", List.of())).containsExactly("a", "b", "c");
        assertThat(settings.list("bare", List.of("x"))).isEmpty();
        assertThat(settings.list("none", List.of("x"))).containsExactly("x");
        assertThat(settings.required("half")).isEqualTo("0.5");
    }

    @Test
    void shouldSayWhatIsExpected() {
        Settings settings = with(Map.of("wait", "10", "half", "NaN", "on", "yes", "far", "99999999999999999999d"));

        assertThatThrownBy(() -> settings.duration("wait", Duration.ZERO))
                .isInstanceOf(SettingException.class)
                .hasMessage("setting wait=10: a time is expected, as 250ms, 10s, 5m, 2h or 1d");
        assertThatThrownBy(() -> settings.duration("far", Duration.ZERO))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("longer than can be counted");
        assertThatThrownBy(() -> settings.decimal("half", 1))
                .isInstanceOf(SettingException.class)
                .hasMessage("setting half=NaN: a decimal number is expected");
        assertThatThrownBy(() -> settings.flag("on"))
                .isInstanceOf(SettingException.class)
                .hasMessage("setting on=yes: true or false is expected");
        assertThatThrownBy(() -> settings.required("in"))
                .isInstanceOf(SettingException.class)
                .hasMessage("setting in: it is needed and not set; add --set in=…");
    }

    @Test
    void shouldReadWhatIsSet() {
        Settings settings = with(Map.of("name", "y", "records", "10_000_000", "less", "-5", "size", "very_large"));

        assertThat(settings.text("name", "x")).isEqualTo("y");
        assertThat(settings.number("records", 7)).isEqualTo(10_000_000);
        assertThat(settings.number("less", 7)).isEqualTo(-5);
        assertThat(settings.choice("size", Size.SMALL)).isEqualTo(Size.VERY_LARGE);
        assertThat(settings.has("name")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ten", "1.5", "1e6", "9223372036854775808", "_"})
    void shouldRefuseWhatIsNoNumber(String text) {
        assertThatThrownBy(() -> with(Map.of("records", text)).number("records", 7))
                .isInstanceOf(SettingException.class)
                .hasMessage("setting records=" + text + ": a whole number is expected");
    }

    @Test
    void shouldNameTheChoices() {
        assertThatThrownBy(() -> with(Map.of("size", "SMALL")).choice("size", Size.SMALL))
                .isInstanceOf(SettingException.class)
                .hasMessage("setting size=SMALL: one of small, very_large is expected");
    }

    @Test
    void shouldLookForTheJobsOwnFilesInItsFolder() {
        assertThat(with(Map.of()).file("in", "data.csv")).isEqualTo(Path.of("jobs", "quakes", "data.csv"));
        assertThat(with(Map.of("in", "mine.csv")).file("in", "data.csv"))
                .as("what the user names lies where the user stands")
                .isEqualTo(Path.of("mine.csv"));
    }

    @Test
    void shouldKnowWhichKeysNobodyAskedFor() {
        Settings settings = with(Map.of("records", "1", "recrods", "2", "in", "x"));
        settings.number("records", 0);
        settings.file("in", "y");
        settings.text("out", "z");

        assertThat(settings.unknown()).containsExactly("recrods");
        assertThat(settings.known()).containsExactlyInAnyOrder("records", "in", "out");
    }

    @Test
    void shouldReadAllThatBeginAlike() {
        Settings settings = with(Map.of("kafka.acks", "1", "kafka.", "x", "kafak.acks", "1", "in", "y"));

        assertThat(settings.startingWith("kafka.")).containsExactly(Map.entry("acks", "1"));
        assertThat(settings.startingWith("jdbc.")).isEmpty();
        assertThat(settings.unknown()).containsExactly("in", "kafak.acks", "kafka.");
        assertThat(settings.known()).containsExactlyInAnyOrder("kafka.…", "kafka.acks", "jdbc.…");
    }

    private static Settings with(Map<String, String> values) {
        return new Settings(values, Path.of("jobs", "quakes"));
    }
}
