// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code --on flink}. */
public final class FlinkRunnerProvider implements RunnerProvider {
    @Override
    public RunnerInfo road() {
        return RunnerInfo.of("flink", getClass().getClassLoader());
    }

    @Override
    public Runner runner(
            RunSettings settings, @Nullable String address, Map<String, List<String>> options, List<Path> code) {
        FlinkRunner runner = address == null
                ? FlinkRunner.inThisJvm(settings).withCode(code)
                : FlinkRunner.on(address, settings, code);
        Map<String, String> ofFlink = new HashMap<>();
        for (String text : options.getOrDefault("--flink-conf", List.of())) {
            String[] parts = text.split("=", 2);
            if (parts.length < 2 || parts[0].isEmpty()) {
                throw new IllegalArgumentException("--flink-conf takes KEY=VALUE, not " + text);
            }
            ofFlink.put(parts[0], parts[1]);
        }
        return ofFlink.isEmpty() ? runner : runner.with(ofFlink);
    }
}
