// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.server;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;

/**
 * What a server answers.
 *
 * @param code of HTTP
 * @param type of the body
 * @param body its bytes; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // made once, written once, never compared
public record Answer(int code, String type, byte[] body) {
    /** Of what was found. */
    public static final int OK = 200;

    static final String JSON = "application/json";

    /** A text of that type. */
    public static Answer of(String type, String text) {
        return new Answer(OK, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** An object of JSON, in one line. */
    public static Answer json(int code, String object) {
        return new Answer(code, JSON, (object + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** An object of JSON that says what is wrong. */
    public static Answer error(int code, String message) {
        return json(
                code,
                "{\"error\":\"" + new String(JsonStringEncoder.getInstance().quoteAsString(message)) + "\"}");
    }
}
