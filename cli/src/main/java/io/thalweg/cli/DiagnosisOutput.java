// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.observation.RecordJson;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where {@code --json} leads. */
final class DiagnosisOutput {
    private static final String STDOUT = "-";

    private final String target;

    private DiagnosisOutput(String target) {
        this.target = target;
    }

    /**
     * @param others files of the same command, which it must not overwrite; null for none
     * @throws ConnectorException if the file could not be written: better known before a long run than after it
     * @throws UsageException if it is one of the others
     */
    static DiagnosisOutput checked(String target, List<@Nullable String> others) {
        StatsOutput.check("--json", target);
        for (String other : others) {
            if (other != null && isSame(target, other)) {
                throw new UsageException("--json: " + target + " is used by this command already");
            }
        }
        return new DiagnosisOutput(target);
    }

    private static boolean isSame(String one, String other) {
        try {
            if (one.equals(STDOUT) || other.equals(STDOUT)) {
                return one.equals(other);
            }
            Path first = Path.of(one).toAbsolutePath().normalize();
            Path second = Path.of(other).toAbsolutePath().normalize();
            return first.equals(second)
                    || (Files.exists(first) && Files.exists(second) && Files.isSameFile(first, second));
        } catch (IOException e) {
            throw new ConnectorException("--json: " + one + " cannot be looked at: " + e.getMessage(), e);
        }
    }

    boolean isStandardOutput() {
        return target.equals(STDOUT);
    }

    void write(Diagnosis diagnosis) {
        write(diagnosis, new PrintStream(System.out, false, StandardCharsets.UTF_8));
    }

    /** @param out standard output */
    void write(Record found, PrintStream out) {
        String text = RecordJson.text(found);
        if (isStandardOutput()) {
            out.print(text);
            out.flush();
            if (out.checkError()) {
                throw new ConnectorException("--json: standard output is closed or full");
            }
            return;
        }
        try {
            Files.writeString(Path.of(target), text);
        } catch (IOException e) {
            throw new ConnectorException("--json: " + target + " cannot be written: " + e.getMessage(), e);
        }
    }
}
