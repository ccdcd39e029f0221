// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The embedded engine in Flink's place, for a process of its own. */
public final class OtherRoad implements RunnerProvider {
    @Override
    public RunnerInfo road() {
        return new RunnerInfo("flink", "HOST:PORT", "", List.of(), List.of(), List.of(), List.of());
    }

    @Override
    public Runner runner(
            RunSettings settings, @Nullable String address, Map<String, List<String>> options, List<Path> code) {
        return new EmbeddedRunner(settings);
    }
}
