// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import io.thalweg.lab.study.Study.Planned;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The files of users' own topologies as they were when a call began: one that is built again meanwhile is another program. */
final class JobFiles {
    static final JobFiles NONE = new JobFiles(Map.of());

    private static final String UNREADABLE = "cannot be read";

    /** Enough to tell two apart. */
    private static final int DIGITS = 16;

    private final Map<Path, String> digests;

    private JobFiles(Map<Path, String> digests) {
        this.digests = digests;
    }

    static JobFiles of(List<List<Planned>> groups) {
        Map<Path, String> digests = new TreeMap<>();
        groups.forEach(group -> group.stream()
                .filter(JobFiles::isTopology)
                .forEach(each -> digests.computeIfAbsent(file(each), JobFiles::digest)));
        return new JobFiles(digests);
    }

    static boolean isTopology(Planned cell) {
        return "topology".equals(cell.settings().get("workload"));
    }

    private static Path file(Planned cell) {
        return Path.of(cell.settings().getOrDefault("jar", ""));
    }

    private static String digest(Path file) {
        try {
            return "SHA-256 " + Engine.sha256(file).substring(0, DIGITS);
        } catch (IOException e) {
            return UNREADABLE;
        }
    }

    /** To be appended to what the call was told: {@code , of Orders.jar (SHA-256 0123456789abcdef)}; empty if there are none. */
    String text() {
        return digests.entrySet().stream()
                .map(each -> ", of " + each.getKey().getFileName() + " (" + each.getValue() + ")")
                .collect(Collectors.joining());
    }

    /** @throws LabException if the cell's is another one by now, so that its runs would be of two programs */
    void check(Planned cell) {
        String then = digests.get(file(cell));
        if (then != null && isTopology(cell) && !then.equals(digest(file(cell)))) {
            throw new LabException(file(cell).getFileName() + " has changed since this call of the lab began");
        }
    }
}
