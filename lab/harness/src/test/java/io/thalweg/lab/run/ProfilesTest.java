// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.study.Studies;
import io.thalweg.lab.study.Study;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProfilesTest {
    @TempDir
    private Path folder;

    /** The results of an earlier call name its files. */
    @Test
    void shouldReplaceNothingOfAnEarlierCall() throws Exception {
        Path run = Files.createDirectory(folder.resolve("run"));
        try (Recording recording = new Recording()) {
            recording.start();
            recording.stop();
            recording.dump(run.resolve("1" + RunFolder.RECORDING));
        }
        Cell cell = Cell.of(Map.of(), run);
        Study.Planned planned = Studies.find("storm-2012.a")
                .plan(List.of("storm"), (engine, settings) -> "tuned", false)
                .get(0)
                .get(0);
        List<String> kept = new ArrayList<>();
        for (int call = 0; call < 3; call++) {
            Profiles profiles = Profiles.in(folder.resolve("profiles"));
            profiles.next(planned, 1);
            RunResult.Profile profile = profiles.keep(cell, Long.MIN_VALUE, Long.MAX_VALUE, 1);
            kept.addAll(profile.files());
        }

        assertThat(kept)
                .containsExactly(
                        "storm-2012.a-storm-tuned-run-1.jfr",
                        "storm-2012.a-storm-tuned-run-1.html",
                        "storm-2012.a-storm-tuned-run-1-2.jfr",
                        "storm-2012.a-storm-tuned-run-1-2.html",
                        "storm-2012.a-storm-tuned-run-1-3.jfr",
                        "storm-2012.a-storm-tuned-run-1-3.html");
    }
}
