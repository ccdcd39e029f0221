// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.python.text.MalformedTextException;
import io.thalweg.python.text.Utf8;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.Constants;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.shade.net.minidev.json.parser.ParseException;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Storm's own: a text in JSON, and a line {@code end}. */
final class JsonFraming implements Framing {
    private static final int INFO_LEVEL = 2;
    private static final int MOST_SHOWN = 200;
    private static final int CAPACITY = 1 << 16;

    private final OutputStream output;
    private final JsonText json;
    private final InputStream input;
    private final Consumer<String> strays;
    private final byte[] buffer = new byte[CAPACITY];
    private int at;
    private int end;

    /** What is wrong with the line that was read last; null if it is UTF-8. */
    private @Nullable MalformedTextException malformed;

    /** @param strays gets lines that are no messages: what a child has printed */
    JsonFraming(OutputStream output, InputStream input, Consumer<String> strays) {
        this.output = output;
        json = new JsonText(output);
        this.input = input;
        this.strays = strays;
    }

    /**
     * What the child answers to the first message.
     *
     * @return null at the end of its output
     */
    @Nullable Map<?, ?> greet(Map<String, Object> conf, TopologyContext context) throws IOException {
        JSONObject setup = new JSONObject();
        setup.put("pidDir", context.getPIDDir());
        setup.put("conf", conf);
        setup.put("context", context);
        json.write(setup);
        output.flush();
        Map<?, ?> answer = next();
        if (answer == null || answer.get("pid") instanceof Number) {
            return answer;
        }
        throw new MalformedException("its first message must be its pid, not " + shown(JSONValue.toJSONString(answer)));
    }

    /** What follows the message that was read last. */
    InputStream rest() {
        return new SequenceInputStream(new ByteArrayInputStream(buffer, at, end - at), input);
    }

    @Override
    public boolean packed() {
        return false;
    }

    @Override
    public boolean columns() {
        return false;
    }

    // ---- to the child

    @Override
    public List<Refused> write(List<ToChild> messages) throws IOException {
        for (ToChild message : messages) {
            write(message);
        }
        output.flush();
        return List.of();
    }

    private void write(ToChild message) throws IOException {
        if (message instanceof ToChild.Input in) {
            Tuple tuple = in.tuple();
            json.write(
                    in.id(),
                    tuple.getSourceComponent(),
                    tuple.getSourceStreamId(),
                    tuple.getSourceTask(),
                    tuple.getValues());
        } else if (message instanceof ToChild.Heartbeat beat) {
            json.write(beat.id(), null, ShellBolt.HEARTBEAT_STREAM_ID, Constants.SYSTEM_TASK_ID, List.of());
        } else if (message instanceof ToChild.Tasks tasks) {
            json.write(tasks.tasks());
        } else {
            JSONObject made = new JSONObject();
            made.put("command", message instanceof ToChild.Command command ? command.command() : "next");
            made.put("id", message instanceof ToChild.Command command ? command.id() : "");
            json.write(made);
        }
    }

    // ---- from the child

    @Override
    public @Nullable List<FromChild> read() throws IOException {
        Map<?, ?> message = next();
        if (message == null) {
            return null;
        }
        if (!(message.get("command") instanceof String command)) {
            throw new MalformedException(
                    "it sent a message without a command: " + shown(JSONValue.toJSONString(message)));
        }
        return List.of(message(command, message));
    }

    private static FromChild message(String command, Map<?, ?> message) throws MalformedException {
        return switch (command) {
            case "emit" -> emit(message);
            case "ack" -> new FromChild.Ack(message.get("id"));
            case "fail" -> new FromChild.Fail(message.get("id"));
            case "sync" -> new FromChild.Sync();
            case "log" ->
                new FromChild.Log(
                        message.get("level") instanceof Number level ? level.intValue() : INFO_LEVEL,
                        String.valueOf(message.get("msg")));
            case "error" -> new FromChild.Problem(String.valueOf(message.get("msg")));
            case "metrics" ->
                new FromChild.Metric(message.get("name") instanceof String name ? name : null, message.get("params"));
            default -> throw new MalformedException("it sent the command '" + shown(command) + "', which nobody knows");
        };
    }

    @SuppressWarnings("unchecked") // elements of a list are objects
    private static FromChild.Emit emit(Map<?, ?> message) throws MalformedException {
        if (!(message.get("tuple") instanceof List<?> values)) {
            throw new MalformedException(
                    "it emitted something that is no list: " + shown(JSONValue.toJSONString(message.get("tuple"))));
        }
        Object anchors = message.get("anchors");
        return new FromChild.Emit(
                message.get("stream") instanceof String stream ? stream : Utils.DEFAULT_STREAM_ID,
                message.get("id"),
                anchors instanceof List<?> several ? several : anchors == null ? List.of() : List.of(anchors),
                message.get("task") instanceof Number task ? task.longValue() : 0,
                (List<Object>) values,
                !Boolean.FALSE.equals(message.get("need_task_ids")));
    }

    /**
     * The next message; null at the end. Lines before it that are not are what the child has printed: they are told, and
     * nothing is lost by them.
     */
    private @Nullable Map<?, ?> next() throws IOException {
        while (true) {
            List<String> lines = new ArrayList<>();
            MalformedTextException problem = null;
            int bad = -1;
            for (String line = line(); !"end".equals(line); line = line()) {
                if (line == null) {
                    told(lines);
                    return null;
                }
                if (malformed != null) {
                    problem = malformed;
                    bad = lines.size();
                }
                lines.add(line);
            }
            Found found = found(lines);
            if (found != null) {
                told(lines.subList(0, found.from));
                if (problem != null && bad >= found.from && !isToldOnly(found.object)) {
                    throw new MalformedException("it sent a message that is no UTF-8, " + shown(lines.get(bad)) + ": "
                            + problem.getMessage());
                }
                return found.object;
            }
            throw new MalformedException("it wrote to its standard output what is no message: "
                    + shown(String.join(" | ", lines))
                    + "; print to standard error, or use the log of the protocol");
        }
    }

    private void told(List<String> lines) {
        lines.stream().filter(each -> !each.isBlank()).forEach(strays);
    }

    /**
     * An object of JSON.
     *
     * @param from the line where it begins
     */
    private record Found(int from, Map<?, ?> object) {
        boolean isMessage() {
            return object.get("command") instanceof String || object.get("pid") instanceof Number;
        }
    }

    /**
     * The first message, which is looked for in the first line and the last one before all others: a child may have printed many. Where
     * there is none, the first object, which may have been printed too; null if there is none of these.
     */
    private static @Nullable Found found(List<String> lines) throws MalformedException {
        int size = lines.size();
        Found other = null;
        for (int i = 0; i < size; i++) {
            int from = i == 0 ? 0 : i == 1 ? size - 1 : i - 1;
            Map<?, ?> object = object(lines.subList(from, size));
            if (object != null) {
                Found found = new Found(from, object);
                if (found.isMessage()) {
                    return found;
                }
                other = other == null || from < other.from ? found : other;
            }
        }
        return other;
    }

    /** The object of JSON that these lines begin with; null if they begin with something else. */
    private static @Nullable Map<?, ?> object(List<String> lines) throws MalformedException {
        if (!lines.get(0).stripLeading().startsWith("{")) {
            return null;
        }
        try {
            Object found = JSONValue.parseWithException(lines.size() == 1 ? lines.get(0) : String.join("\n", lines));
            return found instanceof Map<?, ?> map ? map : null;
        } catch (ParseException e) {
            return null;
        } catch (StackOverflowError e) {
            throw MalformedException.tooDeep();
        }
    }

    /** What is logged, where a character that is not there does no harm. */
    private static boolean isToldOnly(Map<?, ?> message) {
        return "log".equals(message.get("command")) || "error".equals(message.get("command"));
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream begun = null;
        while (true) {
            for (int i = at; i < end; i++) {
                if (buffer[i] == '\n') {
                    String line = text(begun, i);
                    at = i + 1;
                    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
                }
            }
            if (begun == null) {
                begun = new ByteArrayOutputStream();
            }
            begun.write(buffer, at, end - at);
            at = 0;
            end = Math.max(0, input.read(buffer));
            if (end == 0) {
                return begun.size() == 0 ? null : text(begun.toByteArray(), 0, begun.size());
            }
        }
    }

    private String text(@Nullable ByteArrayOutputStream begun, int until) {
        if (begun == null) {
            return text(buffer, at, until - at);
        }
        begun.write(buffer, at, until - at);
        return text(begun.toByteArray(), 0, begun.size());
    }

    private String text(byte[] bytes, int from, int length) {
        malformed = null;
        try {
            return Utf8.text(bytes, from, length);
        } catch (MalformedTextException e) {
            malformed = e; // what a child prints may be in any encoding
            return new String(bytes, from, length, StandardCharsets.UTF_8);
        }
    }

    static String shown(@Nullable String text) {
        String plain = String.valueOf(text).replaceAll("\\p{Cntrl}", " ");
        return plain.length() <= MOST_SHOWN ? plain : plain.substring(0, MOST_SHOWN) + "…";
    }
}
