// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import java.nio.file.Path;
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
        return address == null
                ? FlinkRunner.inThisJvm(settings).withCode(code)
                : FlinkRunner.on(address, settings, code);
    }
}
