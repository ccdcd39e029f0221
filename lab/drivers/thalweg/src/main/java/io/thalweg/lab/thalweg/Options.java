// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import java.util.Locale;
import java.util.Map;

/** The settings of Thalweg that a cell names: {@code thalweg.idle} and others. */
final class Options {
    private Options() {}

    /** @throws RefusedException if a value cannot be one; the message says which */
    static RunSettings in(Cell cell, RunSettings settings) throws RefusedException {
        Map<String, String> options = cell.options("thalweg");
        RunSettings next = settings;
        String at = "";
        try {
            for (Map.Entry<String, String> option : options.entrySet()) {
                at = option.getKey();
                String value = option.getValue();
                switch (at) {
                    case "idle" -> next = next.withIdle(Idle.valueOf(value.toUpperCase(Locale.ROOT)));
                    case "threads" -> {
                        int threads = number(value);
                        next = next.withThreads(threads);
                        if (!options.containsKey("parallelism")) { // as by thalweg run --threads
                            next = next.withParallelism(Math.min(threads, RunSettings.MAX_PARALLELISM));
                        }
                    }
                    case "parallelism" -> next = next.withParallelism(number(value));
                    case "queue" -> next = next.withSteps(next.stepRecords(), number(value), next.batchRecords());
                    case "batch" -> next = next.withSteps(next.stepRecords(), next.queueBatches(), number(value));
                    default -> throw new IllegalArgumentException("there is none of that name");
                }
            }
        } catch (IllegalArgumentException e) {
            throw new RefusedException("thalweg." + at + " " + options.get(at) + ": " + e.getMessage());
        }
        return next;
    }

    private static int number(String value) {
        return Integer.parseInt(value.replace("_", ""));
    }
}
