// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One task's share of a directory, in a job that takes checkpoints: what came before a checkpoint is a part of its own,
 * {@code part-TASK-CHECKPOINT.csv}. It is written under a hidden name, closed when the barrier comes, and renamed when the
 * checkpoint is complete. Other tasks of the job may be writing there at any time, also while this one is restored, so a task removes only
 * what bears its own number or that of a task that is not there any more.
 */
final class PartsWriter<T> implements CheckpointedWriter<T> {
    static final String HEAD = "thalweg parts 2";

    private final PartNames names;
    private final SinkContext context;
    private final RowFormat<T> format;
    private final Ownership ownership;
    private final List<Part> sealed = new ArrayList<>();

    /** Hidden parts with the number of this task that were there when it was restored, and that no checkpoint counts on. */
    private final List<Path> stale = new ArrayList<>();

    /** The checkpoint that was saved last. */
    private long last;

    private @Nullable TextOutput current;
    private @Nullable Path hidden;

    /** A part that is whole and still hidden. */
    private record Part(long checkpoint, String hidden, Fingerprint print) {}

    /** What a task saved. */
    private record Saved(String begun, String directory, long task, long parallelism, List<Part> parts) {}

    private PartsWriter(PartNames names, SinkContext context, RowFormat<T> format, Ownership ownership) {
        this.names = names;
        this.context = context;
        this.format = format;
        this.ownership = ownership;
        last = context.checkpoint();
    }

    static <T> PartsWriter<T> open(PartNames names, SinkContext context, RowFormat<T> format) throws IOException {
        Ownership ownership = Ownership.ofDirectory(names.directory(), context, names::beginChecked);
        boolean opened = false;
        try {
            if (context.checkpoint() == 0) {
                for (Path part : names.hidden(new PartNames.Tasks(context.task(), context.parallelism()), -1)) {
                    Files.delete(part); // nobody counts on it; its records come again
                }
            }
            PartsWriter<T> made = new PartsWriter<>(names, context, format, ownership);
            opened = true;
            return made;
        } finally {
            if (!opened) {
                ownership.release(false);
            }
        }
    }

    private ConnectorException unwritable(IOException e) {
        return new ConnectorException("cannot write to " + names.directory() + ": " + OutputFile.reason(e), e);
    }

    @Override
    public void write(T row) throws Exception {
        TextOutput output = current;
        if (output == null) {
            hidden = names.newHidden(context.task(), last + 1);
            output = TextOutput.hidden(hidden);
            current = output;
            format.header(output);
        }
        try {
            format.row(row, output);
        } catch (Exception e) {
            output.dropRow();
            throw e;
        }
        output.endRow(format.lines());
    }

    @Override
    public byte[] save(long checkpoint) throws Exception {
        long number = checkpoint == 0 ? last + 1 : checkpoint;
        TextOutput output = current;
        if (output != null && hidden != null) {
            format.footer(output);
            output.endRows();
            sealed.add(new Part(number, String.valueOf(hidden.getFileName()), output.seal()));
            current = null;
            OutputFile.forceNames(names.directory());
        }
        last = number;
        ByteWriter out = new ByteWriter(256);
        out.writeText(HEAD);
        out.writeText(ownership.begun());
        out.writeText(names.directory().toAbsolutePath().toString());
        out.writeVarLong(context.task());
        out.writeVarLong(context.parallelism());
        for (Part part : sealed) {
            out.writeVarLong(part.checkpoint);
            out.writeText(part.hidden);
            part.print.writeTo(out);
        }
        return out.toByteArray();
    }

    @Override
    public void commit(long checkpoint) {
        List<Part> due =
                sealed.stream().filter(part -> part.checkpoint <= checkpoint).toList();
        try {
            ownership.completed();
            for (Part part : due) {
                if (!Fingerprint.isFile(hidden(part))) {
                    throw gone(part, "");
                }
            }
            show(due, context.task());
            for (Path part : stale) {
                Files.deleteIfExists(
                        part); // only now have all tasks found that this is the directory of their checkpoint
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
        stale.clear();
        sealed.removeAll(due);
    }

    @Override
    public void finish() throws Exception {
        save(0);
        commit(Long.MAX_VALUE);
    }

    private Path hidden(Part part) {
        return names.directory().resolve(part.hidden);
    }

    /** First says that the parts are shown, because readers may take them away at once. */
    private void show(List<Part> parts, long task) throws IOException {
        if (parts.isEmpty()) {
            return;
        }
        ownership.check();
        announce(task, parts.stream().mapToLong(Part::checkpoint).max().orElse(0));
        for (Part part : parts) {
            Path place = names.part(task, part.checkpoint);
            if (Fingerprint.isThere(place, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(
                        place.toString(), null, place + " is there already, and this job did not write it");
            }
            ownership.permit(hidden(part));
            Files.move(hidden(part), place, StandardCopyOption.ATOMIC_MOVE);
        }
        OutputFile.forceNames(names.directory());
    }

    private void announce(long task, long checkpoint) throws IOException {
        Path announced = names.ledger(task, checkpoint);
        List<Path> before = names.ledgers(new PartNames.Tasks(task, Long.MAX_VALUE));
        for (Path each : before) {
            if (!each.equals(announced)) {
                Files.move(each, announced, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (before.isEmpty()) {
            Temporaries.create(announced).close();
        }
        OutputFile.forceNames(names.directory());
    }

    private FileSystemException gone(Part part, String more) {
        return new FileSystemException(
                part.hidden,
                null,
                "the records in " + hidden(part) + ", which checkpoint " + part.checkpoint + " needs, are gone" + more);
    }

    @Override
    public void restore(List<byte[]> pieces) {
        List<Saved> all = pieces.stream().map(this::read).toList();
        try {
            for (Saved saved : all) {
                if (!saved.begun.equals(ownership.begun())) {
                    throw new ConnectorException("cannot restore output in " + absolute()
                            + ": this directory is not the one that the checkpoint needs, which was "
                            + saved.directory);
                }
            }
            ownership.check();
            stale.addAll(names.hidden(new PartNames.Tasks(context.task(), Long.MAX_VALUE), context.checkpoint()));
            for (Saved saved : all) {
                goOn(saved);
            }
            if (!all.isEmpty()) {
                ownership.completed();
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private String absolute() {
        return names.directory().toAbsolutePath().toString();
    }

    /** Looks at everything before it changes anything. */
    private void goOn(Saved saved) throws IOException {
        long shownUpTo = names.shownUpTo(saved.task);
        List<Part> stillHidden = new ArrayList<>();
        for (Part part : saved.parts) {
            if (Fingerprint.isThere(hidden(part), LinkOption.NOFOLLOW_LINKS)) {
                if (!part.print.isOf(hidden(part))) {
                    throw new FileSystemException(
                            part.hidden, null, hidden(part) + " is not what checkpoint " + part.checkpoint + " saved");
                }
                stillHidden.add(part);
            } else {
                checkShown(part, saved, shownUpTo);
            }
        }
        PartNames.Tasks tasks = new PartNames.Tasks(saved.task % saved.parallelism, saved.parallelism);
        List<String> counted = saved.parts.stream().map(Part::hidden).toList();
        for (Path part : names.hidden(tasks, -1)) {
            if (!counted.contains(String.valueOf(part.getFileName())) && !isOfAnother(part)) {
                Files.delete(part);
            }
        }
        for (Path later : names.shown(tasks, context.checkpoint())) {
            Files.delete(later);
        }
        for (Path ledger : names.ledgers(tasks)) {
            if (!ledger.equals(names.ledger(saved.task, shownUpTo))) {
                Files.delete(ledger); // of a task that is not there any more
            }
        }
        if (shownUpTo > context.checkpoint()) {
            announce(saved.task, context.checkpoint());
        }
        show(stillHidden, saved.task);
    }

    /** Another task of this job may be writing it. */
    private boolean isOfAnother(Path part) {
        long task = PartNames.taskOf(part);
        return task != context.task() && task < context.parallelism();
    }

    private void checkShown(Part part, Saved saved, long shownUpTo) throws IOException {
        Path place = names.part(saved.task, part.checkpoint);
        boolean there = Fingerprint.isThere(place, LinkOption.NOFOLLOW_LINKS);
        if (there && !part.print.isOf(place)) {
            throw new FileSystemException(
                    place.toString(), null, place + " is not what checkpoint " + part.checkpoint + " saved");
        }
        if (!there && part.checkpoint > shownUpTo) {
            boolean moved = !saved.directory.equals(absolute());
            throw gone(part, moved ? "; it was written in " + saved.directory : "");
        }
    }

    private Saved read(byte[] bytes) {
        try {
            ByteReader in = new ByteReader(bytes);
            if (in.readText().equals(HEAD)) {
                List<Part> parts = new ArrayList<>();
                Saved saved =
                        new Saved(in.readText(), in.readText(), in.readVarLong(), Math.max(1, in.readVarLong()), parts);
                while (in.remaining() > 0) {
                    Part part = new Part(in.readVarLong(), in.readText(), Fingerprint.read(in));
                    if (!names.isHidden(part.hidden, saved.task)) {
                        throw new ConnectorException("cannot restore output in " + absolute()
                                + ": the checkpoint names " + part.hidden + ", which is not the name of a part here");
                    }
                    parts.add(part);
                }
                return saved;
            }
        } catch (ConnectorException e) {
            throw e;
        } catch (RuntimeException e) {
            throw TextOutput.notReadable(names.directory().toString(), e);
        }
        throw TextOutput.notReadable(names.directory().toString(), null);
    }

    @Override
    public void close() throws IOException {
        try {
            if (current != null) {
                current.close();
            }
        } finally {
            ownership.release(false);
        }
    }
}
