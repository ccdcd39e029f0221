// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ObservationFileTest {
    private static String recorded() throws IOException {
        try (InputStream in = ObservationFileTest.class.getResourceAsStream("corpus/blocking-call.json")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void refuses(String text, String message) {
        assertThatThrownBy(() -> ObservationFile.read(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void shouldRefuseAnotherVersionWhereverItIsSaid() throws Exception {
        refuses("{\"version\":2}", "it is of version 2, and this Thalweg reads version 1 only");
        refuses("{\"news\":[{}],\"version\":7}", "it is of version 7");
        refuses(recorded().replaceFirst("\"version\":1", "\"version\":3"), "it is of version 3");
    }

    @Test
    void shouldRefuseWhatIsNoObservation() throws Exception {
        refuses("", "no JSON object");
        refuses("[]", "no JSON object");
        refuses("{}", "it has no version");
        refuses("{\"version\":\"1\"}", "it has no version");
        refuses("{\"version\":1", "not JSON from line 1 on");
        refuses(recorded().substring(0, 2_000), "not JSON from line 1 on");
    }

    @Test
    void shouldSayWhichFieldIsWrong() throws Exception {
        refuses("{\"version\":1}", "field 'state' is missing");
        refuses("{\"version\":1,\"wrong\":0}", "field 'wrong' is unknown");
        refuses("{\"version\":1,\"spans\":{}}", "field 'spans' is no array");
        refuses(
                recorded().replaceFirst("\"busyNs\":\\d+", "\"busyNs\":1.5"),
                "field 'spans[0].tasks[0].busyNs' is no long");
        refuses(
                recorded().replaceFirst("\"busyNs\":\\d+", "\"busyNs\":null"),
                "field 'spans[0].tasks[0].busyNs' is missing");
        refuses(recorded().replaceFirst("\"busyNs\":\\d+", "\"busyNs\":99999999999999999999"), "range");
        refuses(recorded().replaceFirst("\"toNs\":\\d+", "\"toNs\":0"), "a span ends after it begins");
        refuses(recorded().replaceFirst("\"cores\":\\d+", "\"cores\":0"), "a process has a core at least");
        refuses(recorded() + "{}", "something follows");
    }
}
