// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

/** What a job answers. */
public final class ControlReply {
    record Savepoint(String savepoint) {}

    private ControlReply() {}

    public static String of(JobStatus status) {
        return ControlJson.line(status);
    }

    public static String of(JobHealth health) {
        return ControlJson.line(health);
    }

    public static String savepoint(String path) {
        return ControlJson.line(new Savepoint(path));
    }

    public static String error(String message) {
        return ControlJson.error(message);
    }
}
