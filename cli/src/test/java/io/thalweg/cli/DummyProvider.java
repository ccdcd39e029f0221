// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A road that nothing but a service file knows of; it leads back to the embedded engine. */
public final class DummyProvider implements RunnerProvider {
    @Override
    public RunnerInfo road() {
        return new RunnerInfo(
                "dummy",
                "PLACE",
                "nowhere else",
                List.of(new RunnerInfo.Option("--dummy-speed", "N", "how fast")),
                List.of("--threads"),
                List.of(),
                List.of("parallelism", "isolate"));
    }

    @Override
    public Runner runner(
            RunSettings settings, @Nullable String address, Map<String, List<String>> options, List<Path> code) {
        if ("bad".equals(address)) {
            throw new IllegalArgumentException("there is no such place");
        }
        System.err.println("to " + address + " with " + options);
        return new EmbeddedRunner(settings);
    }
}
