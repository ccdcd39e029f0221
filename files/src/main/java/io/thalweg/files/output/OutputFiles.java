// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a path of an output means: one file; a directory of parts, one a task, where it ends with {@code /} or is a
 * directory; or {@code -} for standard output.
 *
 * @param extension of the parts, {@code .csv}
 */
public record OutputFiles(String path, String extension) implements Serializable {
    private static final String STANDARD_OUTPUT = "-";

    /** For plans and messages. */
    public String name() {
        return path.equals(STANDARD_OUTPUT) ? "standard output" : path;
    }

    public int requiredParallelism() {
        return isDirectory() ? 0 : 1;
    }

    private boolean isDirectory() {
        return path.endsWith("/") || Files.isDirectory(Path.of(path));
    }

    /** @throws ConnectorException where nothing can be written there */
    public <T> SinkWriter<T> open(SinkContext context, RowFormat<T> format) {
        boolean parts = !path.equals(STANDARD_OUTPUT) && isDirectory();
        return parts && context.checkpoint() != SinkContext.NO_CHECKPOINTS
                ? PartsWriter.open(Path.of(path), extension, context, format)
                : new RowWriter<>(open(context), format);
    }

    private TextOutput open(SinkContext context) {
        try {
            if (path.equals(STANDARD_OUTPUT)) {
                return TextOutput.standard(context.console());
            }
            if (!isDirectory()) {
                return TextOutput.file(Path.of(path));
            }
            Path directory = Path.of(path);
            OutputDirectory.create(directory);
            return TextOutput.part(directory, extension, context.task(), context.parallelism());
        } catch (FileAlreadyExistsException e) {
            throw new ConnectorException("cannot write " + path + ": " + e.getFile() + " is no directory", e);
        } catch (IOException e) {
            throw new ConnectorException("cannot write " + path + ": " + OutputFile.reason(e), e);
        }
    }
}
