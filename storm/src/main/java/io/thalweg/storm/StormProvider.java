// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds Storm for {@code --on storm}. */
public final class StormProvider implements RunnerProvider {
    @Override
    public RunnerInfo road() {
        return RunnerInfo.of("storm", getClass().getClassLoader());
    }

    @Override
    public Runner runner(
            RunSettings settings, @Nullable String address, Map<String, List<String>> options, List<Path> code) {
        StormRunner runner = address == null ? StormRunner.local(settings, 1) : StormRunner.on(address, settings, code);
        Map<String, Object> conf = new HashMap<>();
        for (String text : options.getOrDefault("--storm-conf", List.of())) {
            String[] parts = text.split("=", 2);
            if (parts.length < 2 || parts[0].isEmpty()) {
                throw new IllegalArgumentException("--storm-conf takes KEY=VALUE, not " + text);
            }
            conf.put(parts[0], value(parts[1]));
        }
        return conf.isEmpty() ? runner : runner.with(conf);
    }

    /** A number if the text is one, because Storm refuses texts for numeric options. */
    private static Object value(String text) {
        if (text.matches("-?\\d{1,18}")) {
            return Long.valueOf(text);
        }
        if (text.matches("-?\\d+\\.\\d+")) {
            return Double.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
    }
}
