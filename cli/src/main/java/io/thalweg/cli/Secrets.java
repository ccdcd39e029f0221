// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.SecretSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Keeps what looks like a secret out of what is kept of a run, as {@link SecretSettings} knows it. */
final class Secrets {
    static final String NOT_KEPT = Results.NOT_KEPT;

    private Secrets() {}

    /** The value, unless it or its name looks like that of a secret. */
    static String without(String name, String value) {
        return SecretSettings.without(name, value);
    }

    /** The same of all settings. */
    static Map<String, String> without(Map<String, String> settings) {
        return SecretSettings.without(settings);
    }

    /** The options that were given, but for some, by name; the same of their values. */
    static Map<String, String> without(CommandSpec given, Set<String> butFor) {
        Map<String, String> options = new LinkedHashMap<>();
        for (OptionSpec option : given.commandLine().getParseResult().matchedOptions()) {
            String name = option.longestName();
            if (!butFor.contains(name)) {
                options.put(
                        name,
                        option.originalStringValues().stream()
                                .map(value -> without(name + " " + value, value))
                                .collect(Collectors.joining(", ")));
            }
        }
        return options;
    }
}
