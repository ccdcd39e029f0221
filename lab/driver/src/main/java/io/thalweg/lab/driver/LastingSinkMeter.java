// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Of a run in which a process is killed: what it received outlives its process. A class of its own, as {@link CheckingSinkMeter}. */
final class LastingSinkMeter extends SinkMeter {
    private static final String PREPARED = ".prepared";

    private final RunFolder folder;
    private final boolean commits;
    private @Nullable Output output;
    private String name = "";

    LastingSinkMeter(Meters meters, Cell cell) {
        super(meters);
        folder = cell.folder();
        commits = cell.commits();
    }

    @Override
    public void received(long number) {
        Output open = output;
        if (open == null) {
            open = open();
        }
        open.add(number);
        super.received(number);
    }

    private Output open() {
        name = UUID.randomUUID().toString();
        Path file = folder.path().resolve(name + (commits ? PREPARED : RunFolder.OUTPUT));
        try {
            Output open = new Output(file);
            output = open;
            return open;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    @Override
    public String prepare() {
        if (!commits) {
            return super.prepare();
        }
        String prepared = output == null ? "" : name;
        output = null;
        return prepared;
    }

    static void commit(RunFolder folder, String prepared) throws IOException {
        Path file = folder.path().resolve(prepared + PREPARED);
        Path committed = folder.path().resolve(prepared + RunFolder.OUTPUT);
        if (!prepared.isEmpty() && !Files.exists(committed)) {
            Files.move(file, committed, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
