// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.UsageException;
import io.thalweg.run.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages as a text says in which {@code %s} and others stand for their parts, in the manner of kcat. On a terminal, what
 * would act on it is made visible; elsewhere bytes stay as they are.
 */
final class MessageFormat implements MessageWriter {
    static final String VALUE = "%s\\n";
    private static final String PARTS =
            "%t topic, %p partition, %o offset, %T timestamp, %k key, %K its length, %s value,"
                    + " %S its length, %h headers, %% a percent sign";
    private static final int HEX = 16;

    /** Text that is the same for all messages, or a part of a message. */
    private record Piece(byte[] text, char part) {}

    private static final char TEXT = 0;

    private final List<Piece> pieces = new ArrayList<>();
    private final boolean terminal;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private MessageFormat(boolean terminal) {
        this.terminal = terminal;
    }

    /** @throws UsageException if it cannot be read */
    static MessageFormat of(String format, boolean terminal) {
        MessageFormat made = new MessageFormat(terminal);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int i = 0; i < format.length(); i++) {
            char each = format.charAt(i);
            boolean more = i + 1 < format.length();
            if (each == '%' && more && format.charAt(i + 1) != '%') {
                made.pieces.add(new Piece(text.toByteArray(), TEXT));
                text.reset();
                made.pieces.add(new Piece(new byte[0], part(format.charAt(++i))));
            } else if (each == '%') {
                if (!more) {
                    throw new UsageException("-f ends with a single %; it knows " + PARTS);
                }
                text.write('%');
                i++;
            } else if (each == '\\' && more) {
                i = escape(format, i + 1, text);
            } else {
                int code = format.codePointAt(i);
                text.writeBytes(Character.toString(code).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(code) - 1;
            }
        }
        made.pieces.add(new Piece(text.toByteArray(), TEXT));
        return made;
    }

    private static char part(char part) {
        if ("tpoTkKsSh".indexOf(part) < 0) {
            throw new UsageException("-f does not know %" + part + "; it knows " + PARTS);
        }
        return part;
    }

    /** @return where the escape ends */
    private static int escape(String format, int at, ByteArrayOutputStream text) {
        switch (format.charAt(at)) {
            case 'n' -> text.write('\n');
            case 't' -> text.write('\t');
            case 'r' -> text.write('\r');
            case '0' -> text.write(0);
            case '\\' -> text.write('\\');
            case 'x' -> {
                String digits = format.substring(at + 1, Math.min(at + 3, format.length()));
                if (!digits.matches("[0-9a-fA-F]{2}")) {
                    throw new UsageException("-f: \\x takes two digits, as in \\x1f, not " + digits);
                }
                text.write(Integer.parseInt(digits, HEX));
                return at + 2;
            }
            default ->
                throw new UsageException(
                        "-f does not know \\" + format.charAt(at) + "; it knows \\n, \\t, \\r, \\0, \\xHH and \\\\");
        }
        return at;
    }

    @Override
    public void write(ConsumerRecord<byte[], byte[]> message, OutputStream out) throws IOException {
        line.reset();
        for (Piece piece : pieces) {
            switch (piece.part()) {
                case TEXT -> line.writeBytes(piece.text());
                case 't' -> add(message.topic());
                case 'p' -> add(Integer.toString(message.partition()));
                case 'o' -> add(Long.toString(message.offset()));
                case 'T' -> add(Long.toString(message.timestamp()));
                case 'k' -> add(message.key());
                case 'K' -> add(Integer.toString(length(message.key())));
                case 's' -> add(message.value());
                case 'S' -> add(Integer.toString(length(message.value())));
                default -> addHeaders(message);
            }
        }
        line.writeTo(out);
    }

    private void addHeaders(ConsumerRecord<byte[], byte[]> message) {
        boolean first = true;
        for (Header header : message.headers()) {
            add((first ? "" : ",") + header.key() + "=");
            add(header.value());
            first = false;
        }
    }

    /** -1 if there is none. */
    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? -1 : bytes.length;
    }

    private void add(String text) {
        add(text.getBytes(StandardCharsets.UTF_8));
    }

    private void add(byte @Nullable [] bytes) {
        if (bytes == null) {
            return;
        }
        line.writeBytes(
                terminal
                        ? PlainText.lines(new String(bytes, StandardCharsets.UTF_8))
                                .getBytes(StandardCharsets.UTF_8)
                        : bytes);
    }
}
