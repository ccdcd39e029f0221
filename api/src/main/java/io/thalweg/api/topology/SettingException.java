// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

/** A setting that is missing or has an invalid value: a mistake on the command line, shown without a stack trace. */
public final class SettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A setting that is missing.
     *
     * @param key name of the setting
     * @param problem what is wrong and what to do, in one line
     */
    public SettingException(String key, String problem) {
        super("setting " + key + ": " + problem);
    }

    /**
     * A setting with an invalid value.
     *
     * @param key name of the setting
     * @param value what the user set; shown in the message, so not a secret
     * @param problem what is expected, in one line
     */
    public SettingException(String key, String value, String problem) {
        super("setting " + key + "=" + value + ": " + problem);
    }
}
