// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * {@code DriverMain CLASS}: makes the driver of that class and runs what standard input says, one line for each run: the folder
 * with its {@code cell.properties}. Answers each with one line: {@code done}, {@code refused WHY} or {@code failed WHY}; before
 * the first, {@code version V}. End of input closes the driver, so that it does not outlive the lab. What the engine prints goes
 * to standard error.
 */
public final class DriverMain {
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
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String order;
            while ((order = orders.readLine()) != null) {
                answers.println(answer(driver, Path.of(order)));
            }
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            answers.println("failed " + oneLine(e));
            code = 1;
        }
        System.exit(code); // some engines leave threads behind
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
