// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.testkit.disk.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which files are read, on a disk that fails one call: all of them, or the job says what it cannot read. */
@Tag("faulty-disk")
final class FaultyInputsTest {
    private final FaultyDisk disk = FaultyDisk.mounted();

    @Test
    void shouldFindAllFilesOrSayWhy_whicheverCallFails() throws IOException {
        Path in = disk.root().resolve("in");
        for (String path : List.of(in + "/*.txt", in + "/**/*.txt", in.toString())) {
            long calls = Long.MAX_VALUE;
            int failed = 0;
            for (long call = 1; call <= calls; call++) {
                disk.format(call);
                Files.createDirectory(in);
                for (String name : List.of("a.txt", "b.txt")) {
                    Files.writeString(in.resolve(name), name);
                }
                disk.heal();
                disk.failCall(call);
                try {
                    assertThat(new InputFiles(path).splits())
                            .as("%s, failed %s", path, disk.hit())
                            .containsExactly(in + "/a.txt", in + "/b.txt");
                } catch (ConnectorException e) {
                    failed++;
                }
                calls = disk.hit() == null ? call : calls;
            }
            assertThat(failed).as(path).isPositive();
        }
    }
}
