// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import io.thalweg.doctor.observation.OperatorProfile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Samples the threads of this process with JDK Flight Recorder, and says which operator each sample belongs to. The
 * engine runs each operator of each task with a class of its own, which is on the stack of whatever the operator calls.
 * Any thread may call {@link #made}; everything else is for one thread.
 */
public final class Profiler implements AutoCloseable {
    /** JFR's own default setting: 50 samples a second are enough for shares. */
    private static final Duration PERIOD = Duration.ofMillis(20);

    /** A call that stands still for less costs about as much as recording it. */
    private static final Duration BLOCKED = Duration.ofMillis(1);

    /** Of a job that runs for days, the profile is that of the last hours. */
    private static final long MOST_BYTES = 50_000_000;

    private static final String ALLOCATIONS = "jdk.ObjectAllocationSample";
    private static final String SAMPLES = "jdk.ExecutionSample";
    private static final String NATIVE_SAMPLES = "jdk.NativeMethodSample";

    /** Told by the module {@code thalweg-python}, twice a second for each of its processes. */
    private static final String PYTHON = "thalweg.PythonWork";

    /** Told by the module {@code thalweg-kafka}, once or twice a second for each of its clients. */
    private static final String FETCHES = "thalweg.KafkaFetches";

    private static final String SENDS = "thalweg.KafkaSends";

    private static final List<String> BLOCKING = List.of(
            "jdk.ThreadSleep",
            "jdk.ThreadPark",
            "jdk.JavaMonitorWait",
            "jdk.JavaMonitorEnter",
            "jdk.SocketRead",
            "jdk.SocketWrite",
            "jdk.FileRead",
            "jdk.FileWrite",
            "jdk.FileForce");

    private final Map<String, String> operators = new ConcurrentHashMap<>();
    private @Nullable Recording recording;

    /** For the file that is read at the end; null for where temporary files are. */
    private @Nullable Path folder;

    /**
     * Options of a Java machine with which what it records is in a folder meanwhile. Else it is where temporary files are, and a Java
     * machine that is halted or killed leaves it there.
     *
     * @return none if this Java has no flight recorder
     */
    public static List<String> javaOptions(Path folder) {
        return FlightRecorder.isAvailable() ? List.of("-XX:FlightRecorderOptions=repository=" + folder) : List.of();
    }

    /**
     * Keeps what this Java machine records in a folder meanwhile, as {@link #javaOptions} does for another one; to be called before
     * {@link #start}. The folder may be deleted once this is closed.
     *
     * @return false if that is not possible, such as where it records already, or was told where to: then it does so there
     */
    public boolean recordIn(Path place) {
        if (!FlightRecorder.isAvailable()
                || FlightRecorder.isInitialized()
                || ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .anyMatch(option -> option.startsWith("-XX:FlightRecorderOptions"))) {
            return false;
        }
        try {
            String[] options = {"repositorypath=\"" + place + '"'};
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "jfrConfigure",
                            new Object[] {options},
                            new String[] {String[].class.getName()});
        } catch (JMException | JMRuntimeException e) {
            return false;
        }
        folder = place;
        return true;
    }

    /** Begins to record; does nothing if this Java has no flight recorder. */
    public void start() {
        if (!FlightRecorder.isAvailable()) {
            return;
        }
        Recording begun = new Recording();
        begun.setName("thalweg doctor");
        begun.setToDisk(true);
        begun.setMaxSize(MOST_BYTES);
        begun.enable(SAMPLES).withPeriod(PERIOD);
        begun.enable(NATIVE_SAMPLES).withPeriod(PERIOD);
        begun.enable(ALLOCATIONS).withStackTrace().with("throttle", "100/s");
        begun.enable(PYTHON);
        begun.enable(FETCHES);
        begun.enable(SENDS);
        for (String name : BLOCKING) {
            begun.enable(name).withThreshold(BLOCKED).withStackTrace();
        }
        begun.start();
        recording = begun;
    }

    /** Takes which class runs an operator, as {@code StageListener} tells it. */
    public void made(String operator, String className) {
        operators.put(Stack.recorded(className), operator);
    }

    /** Ends the recording. */
    public void stop() {
        Recording begun = recording;
        if (begun != null && begun.getState() == RecordingState.RUNNING) {
            begun.stop();
        }
    }

    /**
     * What was recorded until {@link #stop}, which this calls if nobody has. To be called once.
     *
     * @return a profile of each operator that was seen; empty if nothing could be recorded
     * @throws IOException if the recording cannot be written to the folder for temporary files, or read from there
     */
    public List<OperatorProfile> profiles() throws IOException {
        stop();
        Recording ended = recording;
        if (ended == null) {
            return List.of();
        }
        Path file = folder == null
                ? Files.createTempFile("thalweg-doctor", ".jfr")
                : Files.createTempFile(folder, "thalweg-doctor", ".jfr");
        try {
            ended.dump(file);
            return read(file);
        } finally {
            close();
            Files.deleteIfExists(file);
        }
    }

    private List<OperatorProfile> read(Path file) throws IOException {
        Profiles profiles = new Profiles();
        PythonWorks python = new PythonWorks();
        KafkaClients kafka = new KafkaClients();
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                switch (event.getEventType().getName()) {
                    case PYTHON -> python.add(event);
                    case FETCHES -> kafka.addFetches(event);
                    case SENDS -> kafka.addSends(event);
                    default -> add(event, profiles);
                }
            }
        }
        return profiles.all(python.byOperator(), kafka);
    }

    private void add(RecordedEvent event, Profiles profiles) {
        Stack stack = event.getStackTrace() == null ? null : Stack.of(event.getStackTrace(), operators);
        String name = event.getEventType().getName();
        if (stack == null) {
            if (name.equals(SAMPLES) && event.getStackTrace() != null && Stack.acks(event.getStackTrace())) {
                profiles.tracked();
            }
            return;
        }
        if (name.equals(ALLOCATIONS)) {
            profiles.allocated(stack, event.getLong("weight"));
        } else if (name.equals(SAMPLES)) {
            profiles.sampled(stack);
        } else if (name.equals(NATIVE_SAMPLES)) {
            if (!stack.waits()) {
                profiles.sampled(stack);
            }
        } else {
            profiles.blocked(stack, event.getDuration().toNanos());
        }
    }

    @Override
    public void close() {
        Recording begun = recording;
        recording = null;
        if (begun != null) {
            begun.close();
        }
    }
}
