// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.input.ByteInput;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The file of settings that a tuning writes after every step: the whole of it, or nothing. For one thread. */
final class TunedOutput {
    private final Path file;
    private boolean written;

    private TunedOutput(Path file) {
        this.file = file;
    }

    /**
     * @throws UsageException if it is there already
     * @throws ConnectorException if it could not be written: better known before the first run than after it
     */
    static TunedOutput of(String target) {
        if (target.equals("-")) {
            throw new UsageException("--out is a file: it is written after every step, and - cannot be");
        }
        StatsOutput.check("--out", target, List.of());
        Path file = Path.of(target);
        if (Files.exists(file)) {
            throw new UsageException(file + " is there already; remove it, or name another file with --out");
        }
        return new TunedOutput(file);
    }

    /** Where it is, as it was given. */
    Path file() {
        return file;
    }

    /** Whether it has been written. */
    boolean isWritten() {
        return written;
    }

    /** @throws ConnectorException if it cannot be written, or somebody else has written it since this tuning began */
    void write(String text) {
        Path unfinished = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".new");
        try {
            try {
                Files.writeString(unfinished, text);
                if (written) {
                    Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
                } else {
                    Files.move(unfinished, file);
                }
                written = true;
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (FileAlreadyExistsException e) {
            throw new ConnectorException(
                    "--out: somebody else has written " + file + " meanwhile; name another file with --out", e);
        } catch (IOException e) {
            throw new ConnectorException("--out: " + file + " cannot be written: " + ByteInput.reason(e), e);
        }
    }
}
