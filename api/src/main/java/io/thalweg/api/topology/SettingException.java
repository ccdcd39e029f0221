// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

/** A setting whose value cannot be used: a mistake on the command line. */
public final class SettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A setting that is missing. */
    public SettingException(String key, String problem) {
        super("setting " + key + ": " + problem);
    }

    public SettingException(String key, String value, String problem) {
        super("setting " + key + "=" + value + ": " + problem);
    }
}
