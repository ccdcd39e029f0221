// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.driver.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonTuplesTest {
    private static final int PAYLOAD = 9;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final List<Message> taken = new ArrayList<>();

    private JsonTuples reading(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new JsonTuples(new Input(new ByteArrayInputStream(bytes)), output, PAYLOAD);
    }

    @Test
    void shouldWriteWhatStormWrites() throws IOException {
        JsonTuples tuples = reading("");
        tuples.add(new Message(7, new byte[] {0, 31, ' ', '"', '\\', 'x', 127, (byte) 128, -1}, new long[] {5, -6}));
        tuples.add(new Message(8, new byte[] {'a'}, Message.UNTIMED));
        tuples.send();
        tuples.send();
        assertThat(output.toString(StandardCharsets.US_ASCII)).isEqualTo("""
                {"id":"7","comp":"source","stream":"default","task":1,"tuple":[7,"\\u0000\\u001f \\u0022\\u005cx\u007f\\u0080\\u00ff",[5,-6]]}
                end
                {"id":"8","comp":"source","stream":"default","task":1,"tuple":[8,"a"]}
                end
                """);
    }

    @Test
    void shouldTakeWhatIsEmitted_sayToWhichTasksItWent_andCountAcks() throws IOException {
        JsonTuples tuples = reading("""
                {"command": "emit", "anchors": ["7"], "tuple": [7, "\\u0000\\u001f \\"\\\\x\\n\\u0080\\u00ff", [5, -6]]}
                end
                {"command": "ack", "id": "7"}
                end
                {"command":"emit","need_task_ids":false,"anchors":["8"],"tuple":[8,"short"]}
                end
                {"command":"ack","id":"8"}
                end
                {"command": "log", "msg": "a line", "level": 2}
                end
                {"comm""");
        assertThat(tuples.read(taken::add)).isEqualTo(2);
        assertThat(tuples.read(taken::add)).isEqualTo(-1);
        assertThat(taken).hasSize(2);
        assertThat(taken.get(0).number()).isEqualTo(7);
        assertThat(taken.get(0).data()).containsExactly(0, 31, ' ', '"', '\\', 'x', '\n', (byte) 128, (byte) -1);
        assertThat(taken.get(0).times()).containsExactly(5, -6);
        assertThat(taken.get(1).data()).as("a text of another length").isEmpty();
        assertThat(taken.get(1).times()).isEmpty();
        assertThat(output.toString(StandardCharsets.US_ASCII)).isEqualTo("[3]\nend\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"command\": \"error\", \"msg\": \"Traceback: \\u00fc \\\"no\\\"\"} | it reports: Traceback: ü \"no\"",
                "{\"command\": \"fail\", \"id\": \"7\"} | it failed a tuple",
                "{\"command\": \"emit\"} | it emitted nothing",
                "printed | a child wrote what is no message, at byte 0 of printed",
                "{\"command\": \"emit\", \"tuple\": [1, 2]} | a child wrote what is no message, at byte 33 of",
            })
    void shouldSayWhatIsWrong(String message, String problem) {
        assertThatThrownBy(() -> reading(message + "\nend\n").read(taken::add)).hasMessageStartingWith(problem);
    }

    @Test
    void shouldKnowWhatAChildAsksFor() throws IOException {
        assertThat(reading("{\"pid\": 12}\nend\n").greeting()).isEqualTo("json");
        assertThat(reading("{\"pid\": 12, \"framing\": \"arrow-1\"}\nend\n").greeting())
                .isEqualTo("arrow-1");
        assertThatThrownBy(() -> reading("{}\nend\n").greeting()).hasMessage("its first message has no pid");
    }
}
