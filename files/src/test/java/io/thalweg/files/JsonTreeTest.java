// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.json.JsonValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JSON without a class. */
final class JsonTreeTest {
    private static final String EVENT = """
            {"id":12345678901234567890,"user":{"name":"Ann","tags":["a",null,{"deep":true}],"a.b":1},"mag":4.70,"none":null}""";

    @TempDir
    Path directory;

    private final FakeContext context = new FakeContext();

    @Test
    void shouldFindValuesByTheirPaths() throws Exception {
        JsonValue event = read(EVENT).get(0);
        assertThat(event.text("user.name")).isEqualTo("Ann");
        assertThat(event.text("user.tags[0]")).isEqualTo("a");
        assertThat(event.flag("user.tags[2].deep")).isTrue();
        assertThat(event.decimal("mag")).isEqualTo(new BigDecimal("4.70"));
        assertThat(event.number("mag")).isEqualTo(4.7);
        assertThat(event.elements("user.tags")).hasSize(3);
        assertThat(event.at("user").field("a.b")).contains(JsonValue.of(1));
        assertThat(event.at("none")).isEqualTo(JsonValue.nothing());
        assertThat(event.find("none")).isPresent();
        assertThat(event.find("user.age")).isEmpty();
        assertThat(event.find("user.name.first")).isEmpty();
        assertThat(event.find("user.tags[3]")).isEmpty();
        assertThat(event).hasToString(EVENT);
    }

    @Test
    void shouldSayWhatIsNotThere() throws Exception {
        JsonValue event = read(EVENT).get(0);
        bad(() -> event.text("user.age"), "'user.age' is missing");
        bad(() -> event.text("usr.age"), "'usr' is missing");
        bad(() -> event.text("user.tags[3].x"), "'user.tags[3]' is missing");
        bad(() -> event.text("mag"), "'mag': a text is expected, found 4.70");
        bad(() -> event.text("none"), "'none': a text is expected, found null");
        bad(() -> event.whole("mag"), "'mag': a whole number that fits a long is expected, found 4.70");
        bad(() -> event.whole("id"), "'id': a whole number that fits a long is expected, found 12345678901234567890");
        bad(() -> event.flag("user.name"), "'user.name': true or false is expected, found \"Ann\"");
        bad(() -> event.text("user.name.first"), "'user.name': an object is expected, found \"Ann\"");
        bad(
                () -> event.text("user[0]"),
                "'user': an array is expected, found {\"name\":\"Ann\",\"tags\":[\"a\",null,{\"deep\":t…");
        bad(() -> event.elements("mag"), "'mag': an array is expected, found 4.70");
        for (String index : List.of("x", "", "-1", "4294967295", "2147483648")) {
            assertThatThrownBy(() -> event.find("user.tags[" + index + "]"))
                    .hasMessage("path 'user.tags[" + index + "]': '" + index + "' is not an array index");
        }
    }

    private static void bad(ThrowingCallable call, String reason) {
        assertThatThrownBy(call).isInstanceOf(BadRecordException.class).hasMessage(reason);
    }

    @Test
    void shouldBeEqualWhateverTheOrderOfFields() throws Exception {
        List<JsonValue> values = read("{\"a\":1,\"b\":[2]}\n {\"b\" : [2], \"a\" : 1}\n{\"a\":1.0,\"b\":[2]}\n");
        assertThat(values.get(0)).isEqualTo(values.get(1)).hasSameHashCodeAs(values.get(1));
        assertThat(values.get(0)).isNotEqualTo(values.get(2));
    }

    @Test
    void shouldReadAnyValueAndRefuseWhatIsNone() throws Exception {
        assertThat(read("1\n\"x\"\n\n[]\nnull\n{\"a\":}\n01\n1 2\n")).hasSize(4);
        assertThat(context.reasons())
                .containsExactly(
                        "byte 5, 'a': a JSON value is expected, found '}'",
                        "byte 0: a number must not begin with 0",
                        "byte 2: the object is followed by a number; one JSON object a line is expected");
    }

    @Test
    void shouldEndANumberWhereTheTextEnds() throws Exception {
        Decoder.Decoding<JsonValue> decoding = Json.decoder(JsonValue.class).open();
        for (String number : List.of("7", "-7", "12345678", "1.5", "1e5", "-1.25E-3")) {
            byte[] bytes = ("[" + number + "123456789]").getBytes(StandardCharsets.UTF_8);
            assertThat(decoding.decode(bytes, 1, 1 + number.length())).isEqualTo(new JsonValue.Numeric(number));
        }
        byte[] open = "1.5".getBytes(StandardCharsets.UTF_8);
        bad(() -> decoding.decode(open, 0, 2), "the text ends in the middle of a JSON value");
    }

    @Test
    void shouldEndTheLastNumberOfAFileWhereTheFileEnds() throws Exception {
        assertThat(read("12345678\n".repeat(100_000) + "7")).hasSize(100_001).endsWith(JsonValue.of(7));
        assertThat(context.reasons()).isEmpty();
    }

    @Test
    void shouldNotMakeNumbersThatJsonDoesNotHave() {
        for (String text : List.of("", "-", "01", "1.", ".5", "1e", "1e+", "+1", "NaN", "0x1", "1 ", "1,0", "--1")) {
            assertThatThrownBy(() -> new JsonValue.Numeric(text)).hasMessage("JSON has no number " + text);
        }
        for (String text : List.of("0", "-0", "10", "0.10", "1e5", "1E-05", "-1.5e+300")) {
            assertThat(new JsonValue.Numeric(text)).hasToString(text);
        }
        assertThatThrownBy(() -> JsonValue.of(Double.NaN)).hasMessage("JSON has no number NaN");
    }

    private List<JsonValue> read(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("in.jsonl"), text);
        return Reading.all(JsonLines.read(file.toString()), context);
    }
}
