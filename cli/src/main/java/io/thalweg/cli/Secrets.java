// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.lab.result.Results;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Keeps what looks like a secret out of what is kept of a run. It goes by names, and cannot know all. */
final class Secrets {
    static final String NOT_KEPT = Results.NOT_KEPT;

    private static final Pattern NAME =
            Pattern.compile("(?i).*(passw|passphrase|pass(?![a-z])|pwd|secret|token|credential|auth|jaas|private"
                    + "|(api|access|account|keystore|signing|encryption|master).?key).*");
    private static final Pattern VALUE =
            Pattern.compile("(?is).*((passw|secret|token|(api|access|account).?key)[a-z]*[\"']?\\s*[=:]"
                    + "|://[^/@\\s]*:[^/@\\s]*@|bearer |-----BEGIN ).*");

    private Secrets() {}

    /** The value, unless it or its name looks like that of a secret. */
    static String without(String name, String value) {
        return NAME.matcher(name).matches() || VALUE.matcher(value).matches() ? NOT_KEPT : value;
    }

    /** The same of all settings. */
    static Map<String, String> without(Map<String, String> settings) {
        Map<String, String> shown = new LinkedHashMap<>();
        settings.forEach((name, value) -> shown.put(name, without(name, value)));
        return shown;
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
