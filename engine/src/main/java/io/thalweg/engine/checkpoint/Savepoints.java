// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Checkpoints that users request and keep. A savepoint is a copy of a checkpoint that began after the request, under a
 * name that a job never removes. If it cannot be written, the job continues. Any thread may call.
 */
final class Savepoints {
    private static final int MOST_OF_ONE_NAME = 1_000;

    private record Wanted(Path directory, CompletableFuture<Path> kept) {}

    // Guarded by this.
    private final List<Wanted> asked = new ArrayList<>();
    private final List<Wanted> inFlight = new ArrayList<>();

    synchronized CompletableFuture<Path> ask(Path directory) {
        Wanted wanted = new Wanted(directory, new CompletableFuture<>());
        asked.add(wanted);
        return wanted.kept;
    }

    /** True if a request waits for a checkpoint to begin. */
    synchronized boolean waiting() {
        return !asked.isEmpty();
    }

    /** A checkpoint begins; it will be copied for all requests so far. */
    synchronized void begun() {
        inFlight.addAll(asked);
        asked.clear();
    }

    /** Copies the checkpoint that began last, which is complete. */
    void keep(Path checkpoint, String topology) {
        for (Wanted wanted : takeInFlight()) {
            try {
                wanted.kept.complete(copy(checkpoint, wanted.directory, topology));
            } catch (IOException | RuntimeException e) {
                wanted.kept.completeExceptionally(new ConnectorException(
                        "cannot write a savepoint to " + wanted.directory + ": " + reason(e)
                                + "; the job continues, and " + checkpoint + " is complete",
                        e));
            }
        }
    }

    private synchronized List<Wanted> takeInFlight() {
        List<Wanted> taken = List.copyOf(inFlight);
        inFlight.clear();
        return taken;
    }

    /** Fails all requests. */
    synchronized void fail(String reason) {
        begun();
        takeInFlight()
                .forEach(wanted ->
                        wanted.kept.completeExceptionally(new ConnectorException("no savepoint was taken: " + reason)));
    }

    private static String reason(Exception e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        return e instanceof FileAlreadyExistsException exists
                ? exists.getFile() + " exists and is no directory"
                : String.valueOf(e.getMessage());
    }

    private static Path copy(Path checkpoint, Path directory, String topology) throws IOException {
        PrivateFile.createDirectories(directory);
        String number = checkpoint.getFileName().toString().replaceFirst(".*-", "");
        Path place = reserve(directory, "savepoint-" + topology.replaceAll("[^A-Za-z0-9._-]", "-") + "-" + number);
        Path hidden = place.resolveSibling("." + place.getFileName() + ".new");
        try {
            Files.deleteIfExists(hidden); // left by a job that was killed
            try (FileChannel from = FileChannel.open(checkpoint, StandardOpenOption.READ);
                    FileChannel to = PrivateFile.create(hidden)) {
                for (long at = 0; at < from.size(); ) {
                    at += from.transferTo(at, from.size() - at, to);
                }
                to.force(true);
            }
            Files.move(hidden, place, StandardCopyOption.ATOMIC_MOVE);
            PrivateFile.forceNames(directory);
            return place;
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(hidden);
            Files.deleteIfExists(place);
            throw e;
        }
    }

    /** Creates an empty file under a free name: several jobs may write savepoints into one directory. */
    private static Path reserve(Path directory, String name) throws IOException {
        for (int i = 1; i < MOST_OF_ONE_NAME; i++) {
            Path place = directory.resolve(i == 1 ? name : name + "-" + i);
            try {
                PrivateFile.create(place).close();
                return place;
            } catch (FileAlreadyExistsException e) {
                // the next name is tried
            }
        }
        throw new IOException("too many files begin with " + name);
    }
}
