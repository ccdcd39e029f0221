// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.StudyText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What both reports say, in the same order. */
final class ReportParts {
    private ReportParts() {}

    /** Where it was measured, and what measuring itself can do and costs. */
    static List<String> machine(Results results) {
        List<String> lines = new ArrayList<>(machine(results.machine()));
        String memory = results.memoryText();
        if (memory != null) {
            lines.add(memory);
        }
        return lines;
    }

    private static List<String> machine(Machine machine) {
        return List.of(
                "Thalweg " + machine.thalweg() + (machine.commit() == null ? "" : " at " + machine.commit()) + ", "
                        + machine.started(),
                machine.cpu() + ", " + machine.cores() + " cores, " + Figures.digits(machine.memoryMb() / 1024.0)
                        + " GB, " + machine.os() + ", Java " + machine.java(),
                "The harness itself counts up to " + Figures.count(machine.ceilingRecordsPerS())
                        + " records/s; counting a record costs " + Figures.digits(machine.meterNsPerRecord())
                        + " ns, reading the clock " + Figures.digits(machine.clockNs()) + " ns.");
    }

    /** The studies that have cells, in the order of their texts; one without text stands last, under its bare name. */
    static List<StudyText> studies(Results results) {
        Set<String> measured = results.cells().stream().map(CellResult::study).collect(Collectors.toSet());
        Set<String> told = results.studies().stream().map(StudyText::name).collect(Collectors.toSet());
        Stream<StudyText> untold = results.cells().stream()
                .map(CellResult::study)
                .distinct()
                .filter(name -> !told.contains(name))
                .map(name -> new StudyText(name, name, "", List.of(), List.of()));
        return Stream.concat(results.studies().stream().filter(study -> measured.contains(study.name())), untold)
                .toList();
    }

    /** Cells of one case stand together, in whatever order they were run. */
    static Map<String, List<CellResult>> byCase(List<CellResult> cells) {
        return cells.stream()
                .collect(Collectors.groupingBy(CellResult::caseName, LinkedHashMap::new, Collectors.toList()));
    }

    /** Engine, version and variant, with the options; told once however many cells they ran, of those that ran at all. */
    static Map<String, Map<String, String>> tunings(List<CellResult> cells) {
        Map<String, Map<String, String>> tunings = new LinkedHashMap<>();
        for (CellResult cell : cells) {
            if (!cell.version().isBlank()) {
                tunings.putIfAbsent(cell.engine() + " " + cell.version() + ", " + cell.variant(), cell.tuning());
            }
        }
        return tunings;
    }
}
