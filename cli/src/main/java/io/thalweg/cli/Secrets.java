// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.util.regex.Pattern;

/** Keeps what looks like a secret out of what is kept of a run. It goes by names, and cannot know all. */
final class Secrets {
    static final String NOT_KEPT = "(not kept)";

    private static final Pattern NAME = Pattern.compile(
            "(?i).*(passw|passphrase|pwd|secret|token|credential|auth|jaas|private|api.?key|access.?key).*");
    private static final Pattern VALUE = Pattern.compile(
            "(?is).*((passw|secret|token|api.?key|access.?key)[a-z]*[\"']?\\s*[=:]|://[^/@\\s]*:[^/@\\s]*@|bearer ).*");

    private Secrets() {}

    /** The value, unless it or its name looks like that of a secret. */
    static String without(String name, String value) {
        return NAME.matcher(name).matches() || VALUE.matcher(value).matches() ? NOT_KEPT : value;
    }
}
