// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings and texts without what looks like a secret. It goes by names and by the form of values, and cannot know all. */
public final class SecretSettings {
    private static final Pattern NAME =
            Pattern.compile("(?i).*(passw|passphrase|pass(?![a-z])|pwd|secret|token|credential|auth|jaas|private"
                    + "|(api|access|account|keystore|signing|encryption|master).?key).*");
    private static final Pattern VALUE =
            Pattern.compile("(?is).*((passw|secret|token|(api|access|account).?key)[a-z]*[\"']?\\s*[=:]"
                    + "|://[^/@\\s]*:[^/@\\s]*@|bearer |-----BEGIN ).*");

    /** Of the environment; {@code PWD} and an author are none. */
    private static final Pattern VARIABLE =
            Pattern.compile("(?i).*(passw|passphrase|secret|token|credential|(api|access|account|private).?key).*");

    /** In a text, what stands behind a name with a sign, between a user and a host, or behind a word of a header. */
    private static final Pattern IN_TEXT = Pattern.compile(
            "(?is)((?:passw|passphrase|secret|token|(?:api|access|account)[._-]?key)[a-z]*[\"']?\\s*[=:]\\s*"
                    + "|://[^/@\\s:]*:(?=[^/@\\s]*@)|bearer |authorization[\"']?\\s*[=:]\\s*(?:basic |bearer )?)"
                    + "(\\(not kept\\)|\"[^\"]*\"|'[^']*'|[^\\s,;&@\"']+)|-----BEGIN .*");

    /** Shorter ones stand in too many other words. */
    private static final int SHORTEST = 4;

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

    /**
     * A text that a program has written, such as why it failed, without what it repeats of secrets: values of settings and of environment
     * variables that look like some, and what looks like one itself.
     */
    public static String text(String text, Map<String, String> settings) {
        return text(text, settings, System.getenv());
    }

    static String text(String text, Map<String, String> settings, Map<String, String> environment) {
        Set<String> secrets = new TreeSet<>(Comparator.comparing(String::length)
                .reversed()
                .thenComparing(Comparator.naturalOrder())); // one may be the beginning of another
        settings.forEach((name, value) -> {
            if (!without(name, value).equals(value)) {
                addSecrets(value, secrets);
            }
        });
        environment.forEach((name, value) -> {
            if (VARIABLE.matcher(name).matches()) {
                addSecrets(value, secrets);
            }
        });
        secrets.removeIf(each -> each.length() < SHORTEST);
        String shown = text;
        for (String each : secrets) {
            shown = shown.replace(each, Results.NOT_KEPT);
        }
        return IN_TEXT.matcher(shown)
                .replaceAll(found ->
                        Matcher.quoteReplacement(Objects.requireNonNullElse(found.group(1), "") + Results.NOT_KEPT));
    }

    /** The whole value, and what in it is the secret itself, as the password in the properties of a login. */
    private static void addSecrets(String value, Set<String> secrets) {
        secrets.add(value);
        Matcher part = IN_TEXT.matcher(value);
        while (part.find()) {
            String secret = part.group(2);
            if (secret != null) {
                secrets.add(secret.replaceAll("^[\"']|[\"']$", ""));
            }
        }
    }
}
