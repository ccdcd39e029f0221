// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerProvider;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds Storm for {@code --on storm}. */
public final class StormProvider implements RunnerProvider {
    @Override
    public String name() {
        return "storm";
    }

    @Override
    public Runner runner(RunSettings settings, @Nullable String address, List<Path> code) {
        return address == null
                ? StormRunner.local(settings, 1)
                : StormRunner.on(settings, NimbusSubmitter.at(address, code));
    }
}
