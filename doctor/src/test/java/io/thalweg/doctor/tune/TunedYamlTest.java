// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TunedYamlTest {
    private static List<Choice> read(String text) throws Exception {
        return TunedYaml.read(text).stream().map(TunedYaml.Entry::choice).toList();
    }

    @Test
    void shouldReadSettingsOfTheJobAndOfOperators() throws Exception {
        assertThat(read(
                        "\uFEFF---\n# found\nthreads: 4   # more\r\nheap: \"2g\"\n\noperators:\n  parse:\n    parallelism: 2\n"
                                + "    isolate: false\n  'it''s: #1': # odd\n    shuffle: true\nbatch: 64"))
                .containsExactly(
                        new Choice("", "threads", "4"),
                        new Choice("", "heap", "2g"),
                        new Choice("parse", "parallelism", "2"),
                        new Choice("parse", "isolate", "false"),
                        new Choice("it's: #1", "shuffle", "true"),
                        new Choice("", "batch", "64"));
        assertThat(read("")).isEmpty();
        assertThat(read("# no change was shown to pay\n")).isEmpty();
        assertThat(read("operators:\n")).isEmpty();
    }

    /** The comment behind a long value must remain one. */
    @Test
    void shouldReadEveryLineThatItWrites() throws Exception {
        List<Choice> kept = List.of(
                new Choice("", "checkpoint-interval", "10000ms"),
                new Choice("", "max-pending", "1000000000"),
                new Choice("a: b's #1", "parallelism", "256"));
        TuneReport report = new TuneReport(
                TuneReport.VERSION,
                "T",
                "throughput",
                null,
                null,
                2,
                1,
                List.of(),
                kept,
                null,
                List.of(),
                List.of(),
                List.of(),
                kept,
                null,
                "",
                null,
                2,
                1);

        assertThat(read(TunedYaml.of(report, "thalweg tune T.java"))).containsExactlyElementsOf(kept);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | thread: 4 | did you mean threads?",
                "2 | queue: 8;threads: 0 | a number from 1 to 1024, not '0'",
                "1 | queue: 7 | power of two",
                "1 | threads:4 | NAME: VALUE",
                "1 | heap: lots | a size such as",
                "1 | collector: cms | parallel",
                "1 | isolate: true | there is no setting 'isolate'",
                "3 | operators:;  parse:;    threads: 2 | an operator has no setting 'threads'",
                "2 | operators:;  parse: 2 | the name of an operator",
                "2 | threads: 2;  queue: 8 | is indented",
                "2 | threads: 2;threads: 4 | set twice, in line 1",
                "1 | threads: '2 | not closed",
                "1 | threads: | not ''",
                "4 | operators:;    parse:;      isolate: true;  map: | indented less",
                "1 | {threads: 2} | there is no setting",
                "1 | threads: 99999999999999999999 | a number from",
            })
    void shouldSayInWhichLineWhatIsWrong(int line, String text, String message) {
        assertThatThrownBy(() -> TunedYaml.read(text.replace(';', '\n')))
                .isInstanceOf(TunedYaml.MistakeException.class)
                .hasMessageContaining(message.strip())
                .extracting(thrown -> ((TunedYaml.MistakeException) thrown).line())
                .isEqualTo(line);
    }
}
