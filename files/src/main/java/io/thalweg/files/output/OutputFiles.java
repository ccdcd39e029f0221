// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.WriteTarget;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * What a path of an output means: one file; a directory of parts, one a task, where it ends with {@code /} or is a
 * directory; or {@code -} for standard output.
 *
 * @param path as the user gave it
 * @param extension of the parts, {@code .csv}
 */
public record OutputFiles(String path, String extension) implements Serializable {
    private static final String STANDARD_OUTPUT = "-";

    /** @throws IllegalArgumentException if the path is empty, which would be the working directory */
    public OutputFiles {
        if (path.isEmpty()) {
            throw new IllegalArgumentException(
                    "the path of an output is empty; name a file, a directory, or - for standard output");
        }
    }

    /** For plans and messages. */
    public String name() {
        return path.equals(STANDARD_OUTPUT) ? "standard output" : path;
    }

    /** As {@link io.thalweg.api.connector.Sink#requiredParallelism} has it: 1 for a single file, 0 (any) for a directory. */
    public int requiredParallelism() {
        return isDirectory() ? 0 : 1;
    }

    private boolean isDirectory() {
        return path.endsWith("/") || Files.isDirectory(Path.of(path));
    }

    /** What this output alone may write; nothing if it is standard output or no regular file, such as a pipe. */
    public List<WriteTarget> writes() {
        if (path.equals(STANDARD_OUTPUT) || isDevice()) {
            return List.of();
        }
        Path place = Path.of(path);
        return List.of(
                isDirectory()
                        ? new WriteTarget.Directory(place, PartNames.examples(extension))
                        : new WriteTarget.File(place));
    }

    private boolean isDevice() {
        try {
            return Files.readAttributes(Path.of(path), BasicFileAttributes.class)
                    .isOther();
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new ConnectorException("cannot inspect " + path + ": " + OutputFile.reason(e), e);
        }
    }

    /** @throws ConnectorException if nothing can be written there, or another job writes there */
    public <T> SinkWriter<T> open(SinkContext context, RowFormat<T> format) {
        try {
            if (path.equals(STANDARD_OUTPUT)) {
                return new RowWriter<>(TextOutput.standard(context.console()), format);
            }
            if (isDevice()) {
                return new RowWriter<>(TextOutput.device(Path.of(path)), format);
            }
            if (!isDirectory()) {
                checkContinuable(context, format);
                return new RowWriter<>(TextOutput.file(Path.of(path), context), format);
            }
            Path directory = Path.of(path);
            OutputDirectory.create(directory);
            PartNames parts = new PartNames(directory, extension);
            return context.checkpoint() == SinkContext.NO_CHECKPOINTS
                    ? new RowWriter<>(TextOutput.part(parts, context), format)
                    : PartsWriter.open(parts, context, format);
        } catch (FileAlreadyExistsException e) {
            throw new ConnectorException("cannot write " + path + ": " + e.getFile() + isNoDirectory(e.getFile()), e);
        } catch (IOException e) {
            throw new ConnectorException("cannot write " + path + ": " + OutputFile.reason(e), e);
        }
    }

    private static String isNoDirectory(String name) {
        return Files.exists(Path.of(name))
                ? " is not a directory"
                : " is a link to a directory that is not there; create it first";
    }

    private void checkContinuable(SinkContext context, RowFormat<?> format) {
        if (context.checkpoint() != SinkContext.NO_CHECKPOINTS && !format.continuable()) {
            throw new ConnectorException("cannot write " + path + " in a job that takes checkpoints: such a file is"
                    + " unreadable without its end, so it cannot be restored; write a directory of parts, " + path
                    + "/");
        }
    }
}
