// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.study.Studies;
import io.thalweg.lab.study.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProfilesTest {
    @TempDir
    private Path folder;

    private Cell cell;

    private final Study.Planned planned = Studies.find("storm-2012.a")
            .plan(List.of("storm"), (engine, settings) -> "tuned", false)
            .get(0)
            .get(0);

    @BeforeEach
    void record() throws Exception {
        Path run = Files.createDirectory(folder.resolve("run"));
        try (Recording recording = new Recording()) {
            recording.start();
            recording.stop();
            recording.dump(run.resolve("1" + RunFolder.RECORDING));
        }
        cell = Cell.of(Map.of(), run);
    }

    private Profiles next() {
        Profiles profiles = Profiles.in(folder.resolve("profiles"));
        profiles.next(planned, 1);
        return profiles;
    }

    private List<String> kept(Profiles profiles) throws IOException {
        RunResult.Profile profile = profiles.keep(cell, Long.MIN_VALUE, Long.MAX_VALUE, 1);
        return profile.files();
    }

    /** The results of an earlier call name its files. */
    @Test
    void shouldReplaceNothingOfAnEarlierCall() throws Exception {
        List<String> kept = new ArrayList<>();
        for (int call = 0; call < 3; call++) {
            kept.addAll(kept(next()));
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

    @Test
    void shouldReplaceNothingOfACallThatRunsAtTheSameTime() throws Exception {
        Profiles one = next();
        Profiles other = next();

        assertThat(kept(one))
                .containsExactly("storm-2012.a-storm-tuned-run-1.jfr", "storm-2012.a-storm-tuned-run-1.html");
        assertThat(kept(other))
                .containsExactly("storm-2012.a-storm-tuned-run-1-2.jfr", "storm-2012.a-storm-tuned-run-1-2.html");
    }

    @Test
    void shouldLeaveNoPageOfARecordingThatIsNone() throws Exception {
        Files.writeString(cell.folder().path().resolve("1" + RunFolder.RECORDING), "cut off");

        Profiles profiles = next();
        assertThatThrownBy(() -> kept(profiles)).isInstanceOf(IOException.class);

        assertThat(folder.resolve("profiles/storm-2012.a-storm-tuned-run-1.html"))
                .doesNotExist();
    }
}
