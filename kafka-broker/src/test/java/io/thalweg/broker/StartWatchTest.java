// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the user hears of a broker that takes long to start. */
final class StartWatchTest {
    private static final int PATIENCE_LOOKS = 200;
    private static final int MOST_LOOKS = 12_000;

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();

    private BrokerLog log(String text) throws IOException {
        return log(text.getBytes(StandardCharsets.UTF_8));
    }

    private BrokerLog log(byte[] text) throws IOException {
        return new BrokerLog(Files.write(folder.resolve("broker.log"), text));
    }

    private static void look(StartWatch watch, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            watch.noAnswer();
        }
    }

    /** It waited for ten minutes without a word. */
    @Test
    void shouldSayOnceWhatItWaitsFor_andInTheEndHowTheLogEnds() throws Exception {
        BrokerLog log = log("first\nsecond\nthird\n\nlast: why\n\tat io.Place(Of.java:1)\n");
        StartWatch watch = new StartWatch("127.0.0.1:9092", log, said::add);
        look(watch, PATIENCE_LOOKS - 1);
        assertThat(said).as("most brokers start sooner").isEmpty();
        look(watch, MOST_LOOKS - PATIENCE_LOOKS + 1);
        assertThat(said)
                .containsExactly("the broker at 127.0.0.1:9092 does not answer yet; waiting for it, up to 10 minutes;"
                        + " its log is " + log.file());

        assertThatThrownBy(watch::noAnswer)
                .isInstanceOf(IOException.class)
                .hasMessage("the broker at 127.0.0.1:9092 did not answer within 10 minutes; its log, " + log.file()
                        + ", ends with: second | third | last: why");
        assertThat(said).hasSize(1);
    }

    @Test
    void shouldSayThatItPrintedNothing() throws Exception {
        assertThat(log("\n").end()).isEqualTo("it printed nothing");
    }

    /** In another locale it writes the name of a folder in bytes that are no UTF-8, and why it ended was not told then. */
    @Test
    void shouldReadALogThatIsNoUtf8() throws Exception {
        assertThat(log("no room in /tmp/B\u00fcro\n".getBytes(StandardCharsets.ISO_8859_1))
                        .lastLine())
                .startsWith("no room in /tmp/B");
    }
}
