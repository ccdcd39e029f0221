// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import io.thalweg.lab.driver.Message;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** By Storm's own protocol: a text of JSON for each message, and a line {@code end}. */
final class JsonTuples implements Tuples {
    private static final byte[] END = "\nend\n".getBytes(StandardCharsets.US_ASCII);

    /** The tasks that an emitted tuple went to, which a child may wait for. */
    private static final byte[] TASKS = "[3]\nend\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int CAPACITY = 1 << 16;

    /** A message without its data and times. */
    private static final int AROUND = 256;

    private static final int ESCAPED = 6;
    private static final int LONGEST_NUMBER = 21;

    private final Input input;
    private final OutputStream output;
    private final int payload;
    private final Json json = new Json();
    private byte[] out = new byte[CAPACITY];
    private int size;

    JsonTuples(Input input, OutputStream output, int payload) {
        this.input = input;
        this.output = output;
        this.payload = payload;
    }

    /** The framing that the child asks for in its first message; {@code json} if it asks for none. */
    String greeting() throws IOException {
        int stop = awaitEnd();
        if (stop < 0) {
            throw new EOFException("it ended before its first message; its standard error says why");
        }
        json.begin(input.bytes, input.at, stop);
        input.at = stop + END.length;
        json.take('{');
        String framing = "json";
        boolean pid = false;
        for (String name = json.name(); name != null; name = json.name()) {
            if (name.equals("framing")) {
                framing = json.text();
            } else {
                pid |= name.equals("pid");
                json.skip();
            }
        }
        if (!pid) {
            throw new IOException("its first message has no pid");
        }
        return framing;
    }

    // ---- to the child

    @Override
    public void add(Message tuple) {
        int most = AROUND + ESCAPED * payload + LONGEST_NUMBER * tuple.times().length;
        if (out.length - size < most) {
            out = Arrays.copyOf(out, 2 * out.length + most);
        }
        put("{\"id\":\"");
        put(Long.toString(tuple.number()));
        put("\",\"comp\":\"source\",\"stream\":\"default\",\"task\":1,\"tuple\":[");
        put(Long.toString(tuple.number()));
        put(",\"");
        for (byte each : tuple.data()) {
            if (each >= ' ' && each != '"' && each != '\\') {
                out[size++] = each;
            } else {
                put("\\u00");
                out[size++] = HEX[(each >> 4) & 0xF];
                out[size++] = HEX[each & 0xF];
            }
        }
        out[size++] = '"';
        long[] times = tuple.times();
        for (int i = 0; i < times.length; i++) {
            put(i == 0 ? ",[" : ",");
            put(Long.toString(times[i]));
        }
        put(times.length == 0 ? "]}" : "]]}");
        System.arraycopy(END, 0, out, size, END.length);
        size += END.length;
    }

    private void put(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            out[size++] = (byte) ascii.charAt(i);
        }
    }

    @Override
    public void send() throws IOException {
        if (size > 0) {
            write(out, size);
            size = 0;
        }
    }

    /** Both threads write. */
    private void write(byte[] bytes, int length) throws IOException {
        synchronized (output) {
            output.write(bytes, 0, length);
            output.flush();
        }
    }

    // ---- from the child

    @Override
    public int read(Consumer<Message> taken) throws IOException {
        int stop = awaitEnd();
        if (stop < 0) {
            return -1;
        }
        int acks = 0;
        for (; stop >= 0; stop = end()) {
            json.begin(input.bytes, input.at, stop);
            input.at = stop + END.length;
            acks += message(taken);
        }
        return acks;
    }

    /** Where the first message that is there ends, which it waits for; -1 if none comes any more. */
    private int awaitEnd() throws IOException {
        int stop = end();
        while (stop < 0) {
            if (!input.more()) {
                return -1;
            }
            stop = end();
        }
        return stop;
    }

    /** Where the first message ends; -1 if it is not there as a whole. */
    private int end() {
        byte[] bytes = input.bytes;
        for (int i = input.at; i <= input.end - END.length; i++) {
            if (bytes[i] == '\n' && Arrays.equals(bytes, i, i + END.length, END, 0, END.length)) {
                return i;
            }
        }
        return -1;
    }

    /** @return how many tuples it acks */
    private int message(Consumer<Message> taken) throws IOException {
        String command = "";
        String text = "";
        Message tuple = null;
        boolean asks = true;
        json.take('{');
        for (String name = json.name(); name != null; name = json.name()) {
            switch (name) {
                case "command" -> command = json.text();
                case "msg" -> text = json.text();
                case "tuple" -> tuple = tuple();
                case "need_task_ids" -> asks = json.truth();
                default -> json.skip();
            }
        }
        return obey(command, text, tuple, asks, taken);
    }

    private int obey(String command, String text, @Nullable Message tuple, boolean asks, Consumer<Message> taken)
            throws IOException {
        switch (command) {
            case "emit" -> {
                if (tuple == null) {
                    throw new IOException("it emitted nothing");
                }
                if (asks) {
                    write(TASKS, TASKS.length);
                }
                taken.accept(tuple);
            }
            case "ack" -> {
                return 1;
            }
            case "error" -> throw new IOException("it reports: " + text);
            case "fail" -> throw new IOException("it failed a tuple; its standard error says why");
            default -> {
                // a sign of life, or a line for the log
            }
        }
        return 0;
    }

    private Message tuple() {
        json.take('[');
        long number = json.number();
        json.take(',');
        byte[] data = json.latin(payload);
        long[] times = json.takes(',') ? json.numbers() : Message.UNTIMED;
        json.take(']');
        return new Message(number, data, times);
    }
}
