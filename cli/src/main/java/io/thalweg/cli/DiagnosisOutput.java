// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisPage;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.files.input.ByteInput;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where {@code --json} or {@code --html} leads. */
public final class DiagnosisOutput {
    private static final String STDOUT = "-";
    private static final String JSON = "--json";

    private final String option;
    private final String target;

    private DiagnosisOutput(String option, String target) {
        this.option = option;
        this.target = target;
    }

    /**
     * That of {@code --json}.
     *
     * @param others files of the same command, which it must not overwrite; null for none
     * @throws ConnectorException if the file could not be written: better known before a long run than after it
     * @throws UsageException if it is one of the others
     */
    public static DiagnosisOutput checked(String target, List<@Nullable String> others) {
        return checked(JSON, target, others);
    }

    /** The same for a page, {@code --html}. */
    public static DiagnosisOutput page(String target, List<@Nullable String> others) {
        return checked("--html", target, others);
    }

    private static DiagnosisOutput checked(String option, String target, List<@Nullable String> others) {
        StatsOutput.check(option, target, others);
        return new DiagnosisOutput(option, target);
    }

    /** @throws TopologyException if the job reads the file, or writes its results there */
    void check(TopologyGraph graph) {
        StatsOutput.check(option, target, graph);
    }

    /** It is {@code -}. */
    public boolean isStandardOutput() {
        return target.equals(STDOUT);
    }

    /** The option that leads there. */
    public String option() {
        return option;
    }

    /** @throws ConnectorException if it cannot be written */
    public void write(Diagnosis diagnosis) {
        String text = option.equals(JSON) ? RecordJson.text(diagnosis) : DiagnosisPage.of(diagnosis);
        write(text, new PrintStream(System.out, false, StandardCharsets.UTF_8));
    }

    /** @param out standard output */
    void write(String text, PrintStream out) {
        if (isStandardOutput()) {
            out.print(text);
            out.flush();
            if (out.checkError()) {
                throw new ConnectorException(option + ": standard output is closed or full");
            }
            return;
        }
        try {
            Files.writeString(Path.of(target), text);
        } catch (IOException e) {
            throw new ConnectorException(option + ": " + target + " cannot be written: " + ByteInput.reason(e), e);
        }
    }
}
