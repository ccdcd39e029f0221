// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What tests ask of a topology that runs. */
final class Runs {
    private Runs() {}

    /** Throws what the topology failed with. */
    static boolean ended(StormRun run) {
        try {
            return run.await(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    static ComponentStats of(List<ComponentStats> all, String component) {
        return all.stream()
                .filter(each -> each.component().equals(component))
                .findFirst()
                .orElseThrow();
    }

    static void needPython() throws InterruptedException {
        try {
            new ProcessBuilder("python3", "--version").start().waitFor();
        } catch (IOException e) {
            abort("python3 is not installed: the tests of components in Python are left out");
        }
    }
}
