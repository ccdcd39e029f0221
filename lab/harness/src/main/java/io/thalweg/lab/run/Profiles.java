// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.profile.FlamePage;
import io.thalweg.lab.profile.Recordings;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.study.Study.Planned;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The folder in which recordings and flame graphs of runs are kept, named by cell and run. One thread uses it. */
final class Profiles {
    private static final String PAGE = ".html";

    private final Path folder;
    private String title = "";

    private Profiles(Path folder) {
        this.folder = folder;
    }

    /** @throws LabException if the folder is not there and cannot be made */
    static Profiles in(Path folder) {
        try {
            return new Profiles(Files.createDirectories(folder));
        } catch (IOException e) {
            throw new LabException("no folder " + folder + " for profiles can be made: " + e.getMessage(), e);
        }
    }

    /** Names what is kept next. */
    void next(Planned cell, int turn) {
        title = cell.study().name() + "." + cell.caseName() + ", " + cell.engine() + " " + cell.variant() + ", run "
                + turn;
    }

    /**
     * A name that nobody else takes, by its page, which is still empty. A search for a rate runs a cell several times in one turn; what
     * an earlier call has kept, which its results name, is not replaced; and another call may keep its own here just now.
     */
    private String take() throws IOException {
        String first = title.replaceAll("[^A-Za-z0-9.=_]+", "-");
        String name = first;
        for (int i = 2; !take(name); i++) {
            name = first + "-" + i;
        }
        return name;
    }

    private boolean take(String name) throws IOException {
        Path page;
        try {
            page = Files.createFile(folder.resolve(name + PAGE));
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        boolean free = !Files.exists(folder.resolve(name + RunFolder.RECORDING));
        if (!free) {
            Files.delete(page);
        }
        return free;
    }

    /** Keeps what the JVMs of a run have recorded; the flame graphs are of the measured part alone. */
    RunResult.Profile keep(Cell cell, long fromNs, long toNs, double records) throws IOException {
        List<Path> recordings = cell.folder().files(RunFolder.RECORDING);
        if (recordings.isEmpty()) {
            return new RunResult.Profile(List.of(), null);
        }
        String name = take();
        Path page = folder.resolve(name + PAGE);
        try {
            List<Path> kept = new ArrayList<>();
            for (Path file : recordings) {
                String jvm = kept.isEmpty() ? "" : "-jvm-" + (kept.size() + 1);
                Path to = folder.resolve(name + jvm + RunFolder.RECORDING);
                kept.add(Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING));
            }
            Recordings recorded = Recordings.read(kept, instant(fromNs), instant(toNs));
            Files.writeString(page, FlamePage.of(title, recorded, records));
            List<String> files = new ArrayList<>();
            kept.forEach(each -> files.add(String.valueOf(each.getFileName())));
            files.add(String.valueOf(page.getFileName()));
            return new RunResult.Profile(files, records > 0 ? (Double) (recorded.allocatedBytes() / records) : null);
        } catch (IOException e) {
            Files.deleteIfExists(page); // it says nothing
            throw e;
        }
    }

    /** A time of {@link System#nanoTime}, which recordings do not know. */
    private static Instant instant(long ns) {
        return ns == Long.MIN_VALUE
                ? Instant.MIN
                : ns == Long.MAX_VALUE ? Instant.MAX : Instant.now().minusNanos(System.nanoTime() - ns);
    }
}
