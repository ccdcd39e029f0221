// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Settings without what looks like a secret. It goes by names and by the form of values, and cannot know all. */
public final class SecretSettings {
    private static final Pattern NAME =
            Pattern.compile("(?i).*(passw|passphrase|pass(?![a-z])|pwd|secret|token|credential|auth|jaas|private"
                    + "|(api|access|account|keystore|signing|encryption|master).?key).*");
    private static final Pattern VALUE =
            Pattern.compile("(?is).*((passw|secret|token|(api|access|account).?key)[a-z]*[\"']?\\s*[=:]"
                    + "|://[^/@\\s]*:[^/@\\s]*@|bearer |-----BEGIN ).*");

    private SecretSettings() {}

    /** The value, or {@link Results#NOT_KEPT} if it or its name looks like that of a secret. */
    public static String without(String name, String value) {
        return NAME.matcher(name).matches() || VALUE.matcher(value).matches() ? Results.NOT_KEPT : value;
    }

    /** The same of all settings. */
    public static Map<String, String> without(Map<String, String> settings) {
        Map<String, String> shown = new LinkedHashMap<>();
        settings.forEach((name, value) -> shown.put(name, without(name, value)));
        return shown;
    }
}
