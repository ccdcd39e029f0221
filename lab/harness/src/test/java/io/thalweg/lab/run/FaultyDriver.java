// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.driver.JavaProcess;
import io.thalweg.lab.driver.JobFigures;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.driver.SinkMeter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;

/** A driver without an engine, that goes wrong in the way that the cell's variant names. */
public final class FaultyDriver implements Driver {
    /** At 20,000 a second it is due before the meters are read a second time: no run is told to stop before it. */
    private static final long WRONG_AT = 1_000;

    /** Records a second of what is steady, and for how long. */
    private static final int STEADY = 20_000;

    private static final double STEADY_SECONDS = 5;

    /** Bytes that the fault "allocates" allocates for each record. */
    static final int ALLOCATED = 1_000;

    private static final int ARRAY_HEAD = 16;

    /** Written, so that no JIT leaves the arrays out. */
    @SuppressWarnings("UnusedVariable")
    private static volatile byte[] allocated = {};

    @Override
    public String version() {
        return "1.2.3";
    }

    @Override
    public void run(Cell cell) throws Exception {
        String fault = cell.variant();
        if (fault.equals("refuses")) {
            throw new RefusedException("it does not want to");
        }
        if (cell.kills()) {
            runUntilItEnds(cell);
            return;
        }
        if (fault.equals("rises") && !cell.checksEach()) {
            writeSamples(
                    cell,
                    seconds -> 1_000_000 * Math.pow(1.5, seconds),
                    seconds -> cell.folder().stopped());
            return;
        }
        if (fault.startsWith("steady")) {
            writeSamples(
                    cell, seconds -> STEADY * Math.min(seconds, STEADY_SECONDS), seconds -> seconds >= STEADY_SECONDS);
            new JobFigures(STEADY_SECONDS, STEADY_SECONDS, List.of()).write(cell.folder());
            return;
        }
        Load load = Load.open(cell, 0, 1);
        SinkMeter sink = Meters.of(cell).sink();
        long begunNs = System.nanoTime();
        while (!load.ended()) {
            if (!load.due()) {
                LockSupport.parkNanos(Load.PARK_NS);
                continue;
            }
            long dueNs = load.dueNs();
            long number = load.take();
            if (number == WRONG_AT) {
                goWrong(fault, cell, sink);
                if (fault.equals("loses")) {
                    continue;
                }
            }
            if (fault.equals("swaps") && (number == WRONG_AT || number == WRONG_AT + 3)) {
                sink.received(number == WRONG_AT ? WRONG_AT + 1 : WRONG_AT + 2); // the sum stays
                continue;
            }
            if (fault.equals("five-for-ten") && number >= WRONG_AT && number < WRONG_AT + 10) {
                if (number >= WRONG_AT + 5) {
                    sink.received(number);
                    sink.received(number);
                    sink.received(number);
                }
                continue;
            }
            if (fault.equals("allocates")) {
                allocated = new byte[ALLOCATED - ARRAY_HEAD];
            }
            if (fault.equals("times")) {
                sink.received(number, dueNs);
                continue;
            }
            sink.received(fault.equals("alters") && number == WRONG_AT ? 7 : number);
        }
        if (cell.workload() == Cell.Workload.TOPOLOGY) {
            double seconds = (System.nanoTime() - begunNs) / 1e9;
            new JobFigures(seconds, seconds, List.of()).write(cell.folder());
        }
        if (fault.equals("lingers")) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(5));
        }
    }

    /**
     * Writes samples as of an engine, counted by the time that stands in them: whenever they are written, and whichever part is measured,
     * its rate is as it is said to be.
     *
     * @param counted by the seconds since its start
     */
    private static void writeSamples(Cell cell, DoubleUnaryOperator counted, DoublePredicate ended) throws IOException {
        long begunNs = System.nanoTime();
        String name = ProcessHandle.current().pid() + "-made-up" + RunFolder.SAMPLES;
        double seconds = 0;
        try (Writer samples = Files.newBufferedWriter(cell.folder().path().resolve(name))) {
            while (!ended.test(seconds)) {
                long nowNs = System.nanoTime();
                seconds = (nowNs - begunNs) / 1e9;
                long count = (long) counted.applyAsDouble(seconds);
                samples.write(nowNs + " " + count + " 0 " + count + " 0 0 0 0 0 0 0 .\n");
                samples.flush();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private static void goWrong(String fault, Cell cell, SinkMeter sink) throws Exception {
        switch (fault) {
            case "repeats" -> sink.received(WRONG_AT);
            case "damages" -> sink.damaged();
            case "throws" -> throw new IOException("the port is taken");
            case "chats" -> // as a JVM does with its own warnings, whatever System.out is
                new FileOutputStream(FileDescriptor.out)
                        .write("[1.000s][warning][gc] no answer\n".getBytes(StandardCharsets.US_ASCII));
            case "garbles" -> Files.writeString(cell.folder().path().resolve("1-garbled.samples"), "no sample\n");
            case "fills" -> // no file of this process may grow any more, as on a full disk
                new ProcessBuilder(
                                "prlimit",
                                "--fsize=1:1",
                                "--pid",
                                Long.toString(ProcessHandle.current().pid()))
                        .start()
                        .waitFor();
            case "rebuilds" -> Files.writeString(Path.of(cell.jar()), "another program");
            case "misnames" -> // no number of a process in it
                Files.writeString(
                        cell.folder().path().resolve("garbled" + RunFolder.SAMPLES), "1 0 0 0 0 0 0 0 0 0 0 .\n");
            case "dies" -> {
                Files.createTempDirectory("faulty-driver");
                System.err.println("cannot go on");
                Runtime.getRuntime().halt(9);
            }
            case "hangs" -> {
                JavaProcess.start(
                        "child",
                        cell.folder().path(),
                        Map.of(),
                        List.of(),
                        System.getProperty("java.class.path"),
                        List.of(Sleeper.class.getName()));
                new CountDownLatch(1).await();
            }
            default -> {
                // nothing goes wrong
            }
        }
    }

    private static void runUntilItEnds(Cell cell) throws Exception {
        for (int turn = 0; turn < 2; turn++) {
            JavaProcess process = JavaProcess.start(
                    "child" + turn,
                    cell.folder().path(),
                    Map.of(),
                    List.of(),
                    System.getProperty("java.class.path"),
                    List.of(Checkpointed.class.getName(), cell.folder().path().toString()));
            cell.folder().setWorker(process.pid());
            if (process.waitFor() == 0) {
                return;
            }
        }
        throw new IOException("the second process ended, too");
    }

    @Override
    public void close() {}

    /** A child that continues where it last said it was; or, by its fault, a little behind. */
    public static final class Checkpointed {
        private static final int INTERVAL = 1_000;

        private Checkpointed() {}

        public static void main(String[] arguments) throws Exception {
            Cell cell = Cell.in(Path.of(arguments[0]));
            Path checkpoint = cell.folder().path().resolve("checkpoint");
            Load load = Load.open(cell, 0, 1);
            SinkMeter sink = Meters.of(cell).sink();
            if (Files.exists(checkpoint)) {
                long position = Long.parseLong(Files.readString(checkpoint));
                load.seek(cell.variant().equals("skips") ? position + 2 * INTERVAL : position);
            }
            while (!load.ended()) {
                if (!load.due()) {
                    load.park();
                    continue;
                }
                sink.received(load.take());
                if (load.position() % INTERVAL == 0) {
                    Path next = Files.writeString(checkpoint.resolveSibling("next"), Long.toString(load.position()));
                    Files.move(next, checkpoint, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            load.close();
            Meters.closeAll();
        }
    }

    /** A child that ends only if somebody ends it. */
    public static final class Sleeper {
        private Sleeper() {}

        public static void main(String[] arguments) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }
}
