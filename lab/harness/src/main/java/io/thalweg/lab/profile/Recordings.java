// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.profile;

import io.thalweg.lab.driver.Meters;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** What recordings of the JDK Flight Recorder hold of some span of time, of all JVMs of a run together; without the threads of the lab and of the recorder. */
public final class Recordings {
    private static final String CUT = "[stack cut off here]";

    private final Instant from;
    private final Instant to;
    private final Stacks cpu = new Stacks();
    private final Stacks allocations = new Stacks();
    private Duration pauses = Duration.ZERO;
    private int collections;

    private Recordings(Instant from, Instant to) {
        this.from = from;
        this.to = to;
    }

    /** @throws IOException if a file is no recording, or not all of one */
    public static Recordings read(List<Path> files, Instant from, Instant to) throws IOException {
        Recordings all = new Recordings(from, to);
        for (Path file : files) {
            try (RecordingFile in = new RecordingFile(file)) {
                while (in.hasMoreEvents()) {
                    all.add(in.readEvent());
                }
            }
        }
        return all;
    }

    private void add(RecordedEvent event) {
        if (event.getStartTime().isBefore(from) || event.getStartTime().isAfter(to)) {
            return;
        }
        switch (event.getEventType().getName()) {
            case "jdk.ExecutionSample" -> add(event, event.getThread("sampledThread"), cpu, 1, null);
            case "jdk.ObjectAllocationSample" ->
                add(event, event.getThread(), allocations, event.getLong("weight"), event.getClass("objectClass"));
            case "jdk.GarbageCollection" -> {
                collections++;
                pauses = pauses.plus(event.getDuration("sumOfPauses"));
            }
            default -> {
                // it is in the recording, for whoever opens it
            }
        }
    }

    private static void add(
            RecordedEvent event,
            @Nullable RecordedThread thread,
            Stacks to,
            long weight,
            @Nullable RecordedClass type) {
        String name = thread == null ? "?" : String.valueOf(thread.getJavaName());
        if (name.equals(Meters.THREAD) || name.startsWith("JFR ")) {
            return;
        }
        List<String> calls = new ArrayList<>();
        if (type != null) {
            calls.add(name(type));
        }
        RecordedStackTrace trace = event.getStackTrace();
        if (trace != null) {
            for (RecordedFrame frame : trace.getFrames()) {
                calls.add(frame.getMethod().getType().getName() + "."
                        + frame.getMethod().getName());
            }
            if (trace.isTruncated()) {
                calls.add(CUT);
            }
        }
        calls.add(name);
        Collections.reverse(calls);
        to.add(calls, weight);
    }

    /** As Java spells it, {@code byte[]}. */
    private static String name(RecordedClass type) {
        String name = type.getName();
        int dimensions = name.lastIndexOf('[') + 1;
        String element = name.substring(dimensions);
        String named = dimensions == 0
                ? element
                : switch (element) {
                    case "Z" -> "boolean";
                    case "B" -> "byte";
                    case "C" -> "char";
                    case "S" -> "short";
                    case "I" -> "int";
                    case "J" -> "long";
                    case "F" -> "float";
                    case "D" -> "double";
                    default -> element.replaceAll("^L|;$", "");
                };
        return named + "[]".repeat(dimensions);
    }

    /** Samples of threads that were running. */
    Stacks cpu() {
        return cpu;
    }

    /** Bytes, by samples; the innermost call is what was allocated. */
    Stacks allocations() {
        return allocations;
    }

    /** Bytes that were allocated, by samples. */
    public long allocatedBytes() {
        return allocations.total();
    }

    int collections() {
        return collections;
    }

    /** For how long collections stopped all threads. */
    Duration pauses() {
        return pauses;
    }
}
