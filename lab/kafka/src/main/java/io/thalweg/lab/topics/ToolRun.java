// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.lab.driver.Cell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kafka's own performance tools, in this JVM, measured by the interval that they print. */
final class ToolRun {
    /** start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec */
    private static final Pattern CONSUMED = Pattern.compile(
            "(?m)^\\d{4}-.*?, \\d{4}-.*?, [^,]*, [^,]*, (?<records>\\d+), (?<rate>[0-9.]+), [^,]*, [^,]*, [^,]*, (?<steady>[0-9.]+)$");

    private static final Pattern PRODUCED =
            Pattern.compile("(?m)^(?<records>\\d+) records sent, (?<rate>(?<steady>[0-9.]+)) records/sec .*50th.*$");

    private ToolRun() {}

    /** {@code kafka-consumer-perf-test}, from the beginning of a topic to its end. */
    static Figures consume(Cell cell) throws Exception {
        return figures(
                CONSUMED,
                output(
                        "ConsumerPerformance",
                        List.of(
                                "--bootstrap-server",
                                cell.text("broker", ""),
                                "--topic",
                                cell.text("topic", ""),
                                "--num-records",
                                Long.toString(cell.records()),
                                "--timeout",
                                "60000")));
    }

    /** {@code kafka-producer-perf-test} with the settings of {@code set.producer.…} and the messages of a file. */
    static Figures produce(Cell cell, Path payloads) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "--topic",
                cell.text("topic", ""),
                "--num-records",
                Long.toString(cell.records()),
                "--payload-file",
                payloads.toString(),
                "--throughput",
                "-1",
                "--command-property", // all of them behind one
                "bootstrap.servers=" + cell.text("broker", "")));
        Clients.settings(cell, "producer.").forEach((name, value) -> arguments.add(name + "=" + value));
        return figures(PRODUCED, output("ProducerPerformance", arguments));
    }

    private static Figures figures(Pattern line, String output) throws IOException {
        Matcher matcher = line.matcher(output);
        if (!matcher.find()) {
            throw new IOException("the tool printed no result: " + output.strip());
        }
        long records = Long.parseLong(matcher.group("records"));
        return new Figures(records, 0, ns(records, matcher.group("rate")), ns(records, matcher.group("steady")));
    }

    private static long ns(long records, String rate) {
        return Math.round(records * 1e9 / Double.parseDouble(rate));
    }

    private static String output(String tool, List<String> arguments) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            Class.forName("org.apache.kafka.tools." + tool)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments.toArray(new String[0]));
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
