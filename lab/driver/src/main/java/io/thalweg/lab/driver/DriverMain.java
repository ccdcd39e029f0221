// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * {@code DriverMain CLASS}: makes the driver of that class and runs what standard input says, one line for each run: the folder
 * with its {@code cell.properties}. Answers each with one line: {@code done}, {@code refused WHY} or {@code failed WHY}; before
 * the first, {@code version V}. End of input closes the driver, and ends a run that is under way, so that it does not outlive the lab.
 * What the engine prints goes to standard error.
 */
public final class DriverMain {
    /** Exit status of a driver whose lab is gone. */
    private static final int LEFT = 3;

    /** More than the lab waits before it uses force. */
    private static final Duration TO_CLOSE = Duration.ofMinutes(1);

    private DriverMain() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        int code = 0;
        try (Driver driver = Class.forName(arguments[0])
                .asSubclass(Driver.class)
                .getDeclaredConstructor()
                .newInstance()) {
            answers.println("version " + driver.version());
            Orders orders = new Orders();
            Thread reader = new Thread(orders::read, "orders");
            reader.setDaemon(true);
            reader.start();
            String order;
            while ((order = orders.next()) != null) {
                String answer = answer(driver, Path.of(order));
                orders.answered(); // whoever reads the answer may end the orders at once
                answers.println(answer);
            }
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            answers.println("failed " + oneLine(e));
            code = 1;
        }
        System.exit(code); // some engines leave threads behind
    }

    /**
     * What standard input says. When it ends while a run is under way, the lab is gone, and so is who would tell that run to end: then
     * this process ends at once. The processes that it has started end with it.
     */
    private static final class Orders {
        private final Deque<String> waiting = new ArrayDeque<>();
        private boolean running;
        private boolean ended;

        /** The next one; null if there will be none. */
        synchronized @Nullable String next() throws InterruptedException {
            while (waiting.isEmpty() && !ended) {
                wait();
            }
            running = !waiting.isEmpty();
            return waiting.poll();
        }

        synchronized void answered() {
            running = false;
        }

        private synchronized void add(String order) {
            waiting.add(order);
            notifyAll();
        }

        private synchronized void end() {
            if (running || !waiting.isEmpty()) {
                Runtime.getRuntime().halt(LEFT);
            }
            ended = true;
            notifyAll();
        }

        void read() {
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try {
                String order;
                while ((order = input.readLine()) != null) {
                    add(order);
                }
            } catch (IOException e) {
                // as good as its end
            }
            end();
            try {
                Thread.sleep(TO_CLOSE.toMillis());
            } catch (InterruptedException e) {
                // nobody does
            }
            Runtime.getRuntime().halt(LEFT);
        }
    }

    private static String answer(Driver driver, Path folder) {
        String answer = run(driver, folder);
        try {
            Meters.closeAll();
            return answer;
        } catch (UncheckedIOException e) {
            return answer.equals("done") ? "failed " + e.getMessage() : answer;
        }
    }

    private static String run(Driver driver, Path folder) {
        try {
            driver.run(Cell.in(folder));
            return "done";
        } catch (RefusedException e) {
            return "refused " + oneLine(e);
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            return "failed " + oneLine(e);
        }
    }

    /** The deepest cause says most. */
    private static String oneLine(Throwable problem) {
        Throwable deepest = problem;
        @Nullable Throwable cause = problem.getCause();
        for (int depth = 0; cause != null && depth < 20; depth++) {
            deepest = cause;
            cause = cause.getCause();
        }
        String message = deepest.getMessage();
        return (deepest instanceof IOException || message == null
                        ? deepest.getClass().getSimpleName() + ": "
                        : "")
                + (message == null ? "" : message.lines().findFirst().orElse(""));
    }
}
