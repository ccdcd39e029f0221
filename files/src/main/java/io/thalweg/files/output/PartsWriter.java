// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One task's share of a directory, in a job that takes checkpoints: what came before a checkpoint is a part of its own,
 * {@code part-TASK-CHECKPOINT.csv}. It is written under a hidden name, closed when the barrier comes, and renamed when the
 * checkpoint is complete.
 */
final class PartsWriter<T> implements CheckpointedWriter<T> {
    private static final String HIDDEN = ".";
    private static final Pattern NAME = Pattern.compile("\\.?part-[0-9]{5,}-([0-9]{6,})\\..*");

    private final Path directory;
    private final String extension;
    private final int task;
    private final RowFormat<T> format;
    private final List<Part> sealed = new ArrayList<>();

    /** The checkpoint that was saved last. */
    private long last;

    private @Nullable TextOutput current;

    /** A part that is whole and still hidden. */
    private record Part(long checkpoint, String hidden, String place) {}

    private PartsWriter(Path directory, String extension, int task, RowFormat<T> format, long last) {
        this.directory = directory;
        this.extension = extension;
        this.task = task;
        this.format = format;
        this.last = last;
    }

    static <T> PartsWriter<T> open(Path directory, String extension, SinkContext context, RowFormat<T> format) {
        try {
            OutputDirectory.create(directory);
            if (context.task() == 0) {
                clear(directory, extension, context.checkpoint());
            }
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
        return new PartsWriter<>(directory, extension, context.task(), format, context.checkpoint());
    }

    /** Removes what was begun after the checkpoint; a job that begins wants no parts of another one beside its own. */
    private static void clear(Path directory, String extension, long checkpoint) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                Matcher matcher = NAME.matcher(name);
                boolean hidden = name.startsWith(HIDDEN);
                boolean later = matcher.matches() && Long.parseLong(matcher.group(1)) > checkpoint;
                if (later && (hidden || checkpoint > 0)) {
                    Files.delete(file); // its records come again
                } else if (!hidden && checkpoint == 0 && name.startsWith("part-") && name.endsWith(extension)) {
                    throw new ConnectorException(
                            "cannot write to " + directory + ": it holds " + name
                                    + " of an earlier run, and this run adds parts to what is there; give it a directory without");
                }
            }
        }
    }

    private static ConnectorException unwritable(Path directory, IOException e) {
        return new ConnectorException("cannot write to " + directory + ": " + OutputFile.reason(e), e);
    }

    @Override
    public void write(T row) throws Exception {
        TextOutput output = current;
        if (output == null) {
            output = TextOutput.hidden(directory.resolve(HIDDEN + name(last + 1)));
            current = output;
            format.header(output);
        }
        try {
            format.row(row, output);
        } catch (Exception e) {
            output.dropRow();
            throw e;
        }
        output.endRow();
    }

    private String name(long checkpoint) {
        return String.format(Locale.ROOT, "part-%05d-%06d%s", task, checkpoint, extension);
    }

    @Override
    public byte[] save(long checkpoint) throws IOException {
        long number = checkpoint == 0 ? last + 1 : checkpoint;
        TextOutput output = current;
        if (output != null) {
            sealed.add(new Part(
                    number,
                    output.seal().toString(),
                    directory.resolve(name(number)).toString()));
            current = null;
            OutputFile.forceNames(directory);
        }
        last = number;
        ByteWriter out = new ByteWriter(128);
        for (Part part : sealed) {
            out.writeVarLong(part.checkpoint);
            out.writeText(part.hidden);
            out.writeText(part.place);
        }
        return out.toByteArray();
    }

    @Override
    public void commit(long checkpoint) {
        show(checkpoint);
    }

    @Override
    public void finish() throws IOException {
        save(0);
        show(Long.MAX_VALUE);
    }

    private void show(long checkpoint) {
        try {
            boolean shown = false;
            for (Part part : List.copyOf(sealed)) {
                if (part.checkpoint <= checkpoint) {
                    show(part);
                    sealed.remove(part);
                    shown = true;
                }
            }
            if (shown) {
                OutputFile.forceNames(directory);
            }
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    /** One that is not hidden any more was shown before the job was killed, and perhaps taken away by whoever reads parts. */
    private static void show(Part part) throws IOException {
        Path hidden = Path.of(part.hidden);
        if (Files.exists(hidden)) {
            Files.move(
                    hidden, Path.of(part.place), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void restore(List<byte[]> saved) {
        for (byte[] each : saved) {
            ByteReader in = new ByteReader(each);
            while (in.remaining() > 0) {
                sealed.add(new Part(in.readVarLong(), in.readText(), in.readText()));
            }
        }
        show(Long.MAX_VALUE);
    }

    @Override
    public void close() {
        TextOutput output = current;
        if (output != null) {
            output.close();
        }
    }
}
