// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import io.thalweg.api.connector.Suggestion;
import io.thalweg.api.topology.Settings;
import java.util.Set;
import java.util.TreeSet;

/** A setting that a job never asks for is a mistake, most often of spelling. */
final class UnknownSettings {
    private UnknownSettings() {}

    /** @throws JobException if a setting was given that the job did not ask for */
    static void refuse(Settings settings) {
        if (settings.unknown().isEmpty()) {
            return;
        }
        String unknown = settings.unknown().iterator().next();
        Set<String> known = new TreeSet<>(settings.known());
        throw new JobException("unknown setting '" + unknown + "'; "
                + (known.isEmpty() ? "this job has no settings" : "this job knows: " + String.join(", ", known))
                + Suggestion.of(unknown, known));
    }
}
