// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words and signs of a .proto file, without comments. */
final class ProtoTokens {
    private static final Pattern TOKEN = Pattern.compile(
            "\\G(?:\\s+|//[^\\n]*|/\\*.*?\\*/|(?<word>[A-Za-z_][A-Za-z0-9_]*"
                    + "|\\.?[0-9](?:[eE][+-]|[A-Za-z0-9_.])*|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*'|[^\\s\\w]))",
            Pattern.DOTALL);

    private record Token(String text, int line) {}

    private final List<Token> tokens = new ArrayList<>();
    private int at;

    ProtoTokens(String text) {
        Matcher matcher = TOKEN.matcher(text);
        int line = 1;
        int end = 0;
        while (matcher.find()) {
            String word = matcher.group("word");
            if (word != null) {
                tokens.add(new Token(word, line));
            }
            line += (int) matcher.group().chars().filter(each -> each == '\n').count();
            end = matcher.end();
        }
        if (end < text.length()) {
            throw new InvalidSchemaException(
                    "line " + line + ": '" + OneLine.of(text.substring(end)) + "' cannot be read");
        }
    }

    boolean atEnd() {
        return at == tokens.size();
    }

    /** The next one, which stays; empty at the end. */
    String peek() {
        return atEnd() ? "" : tokens.get(at).text;
    }

    String next() {
        if (atEnd()) {
            throw problem("the text ends too early");
        }
        return tokens.get(at++).text;
    }

    /** Passes over the next one if it is this. */
    boolean skip(String token) {
        if (peek().equals(token)) {
            at++;
            return true;
        }
        return false;
    }

    void expect(String token) {
        if (!skip(token)) {
            throw problem("'" + token + "' is expected, found '" + peek() + "'");
        }
    }

    String identifier() {
        String word = next();
        if (!Character.isJavaIdentifierStart(word.charAt(0))) {
            at--;
            throw problem("a name is expected, found '" + word + "'");
        }
        return word;
    }

    /** A name with dots, possibly with one before it. */
    String path() {
        StringBuilder path = new StringBuilder(skip(".") ? "." : "").append(identifier());
        while (skip(".")) {
            path.append('.').append(identifier());
        }
        return path.toString();
    }

    int number() {
        boolean negative = skip("-");
        String word = next();
        try {
            long value = Long.decode((negative ? "-" : "") + word);
            return Math.toIntExact(value);
        } catch (NumberFormatException | ArithmeticException e) {
            at--;
            throw problem("a number is expected, found '" + word + "'");
        }
    }

    /** One or more texts in quotes, which are one. */
    String text() {
        return bytes().toStringUtf8();
    }

    /** The bytes that they stand for; an escape does not go on in the next. */
    ByteString bytes() {
        ByteString bytes = ByteString.EMPTY;
        do {
            String word = next();
            if (word.charAt(0) != '"' && word.charAt(0) != '\'') {
                at--;
                throw problem("a text in quotes is expected, found '" + word + "'");
            }
            try {
                bytes = bytes.concat(TextFormat.unescapeBytes(word.substring(1, word.length() - 1)));
            } catch (TextFormat.InvalidEscapeSequenceException e) {
                throw problem(OneLine.of(e));
            }
        } while (peek().startsWith("\"") || peek().startsWith("'"));
        return bytes;
    }

    /** Passes over everything up to a semicolon, or over a block in braces. */
    void skipStatement() {
        while (!skip(";")) {
            if (skip("{")) {
                skipBlock();
                return;
            }
            next();
        }
    }

    /** Passes over an option's value and its semicolon. */
    void skipOption() {
        while (!skip(";")) {
            if (next().equals("{")) {
                skipBlock();
            }
        }
    }

    void skipBlock() {
        int open = 1;
        while (open > 0) {
            String token = next();
            open += token.equals("{") ? 1 : token.equals("}") ? -1 : 0;
        }
    }

    InvalidSchemaException problem(String reason) {
        int line = tokens.isEmpty() ? 1 : tokens.get(Math.min(at, tokens.size() - 1)).line;
        return new InvalidSchemaException("line " + line + ": " + reason);
    }
}
