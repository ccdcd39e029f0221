// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One call of the lab, or as much of it as has been measured.
 *
 * @param schema the version of this form, now 2
 * @param asked what the call was told to run, and how; only a call that is told the same may go on with its results. Null in results
 *     of several calls, and of earlier versions
 * @param memoryGbPerS how fast one thread copied memory, in GB/s read and written: before the first case, and after each. Null in
 *     results of several calls, and of earlier versions
 */
public record Results(
        int schema,
        Machine machine,
        @Nullable String asked,
        @Nullable List<Double> memoryGbPerS,
        List<StudyText> studies,
        List<CellResult> cells) {
    public static final int SCHEMA = 2;

    /** Stands for the value of a setting that is a secret. */
    public static final String NOT_KEPT = "(not kept)";

    /** Less than so much of the greatest speed is a slow one. */
    private static final double EVEN = 0.75;

    /** The version before, which lacks some fields of cells and runs and is read all the same. */
    static final int BEFORE = 1;

    /** Of no call that could go on. */
    public Results(int schema, Machine machine, List<StudyText> studies, List<CellResult> cells) {
        this(schema, machine, null, null, studies, cells);
    }

    /** How fast memory was copied, in a sentence; null if that is not known. */
    public @Nullable String memoryText() {
        List<Double> speeds = memoryGbPerS;
        if (speeds == null || speeds.isEmpty()) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "Before the first case and after each, one thread copied memory at %.1f to %.1f GB/s%s.",
                Collections.min(speeds),
                Collections.max(speeds),
                memoryUneven()
                        ? ": not equally fast all the time, so what moves much memory does not compare from one case to another"
                        : "");
    }

    /** Whether memory was copied much slower at one time than at another. */
    public boolean memoryUneven() {
        List<Double> speeds = memoryGbPerS;
        return speeds != null && !speeds.isEmpty() && Collections.min(speeds) < EVEN * Collections.max(speeds);
    }

    /**
     * The cells of several calls as those of one, as if they had been made on the first one's machine; where there are several, or
     * several commits, each study says so.
     *
     * @param all at least one
     */
    public static Results merged(List<Results> all) {
        return new Results(
                SCHEMA,
                all.get(0).machine(),
                texts(all.stream().flatMap(each -> each.studies().stream())).stream()
                        .map(text -> text.with(new StudyText(
                                text.name(), text.title(), text.setup(), List.of(), placesIfSeveral(all))))
                        .toList(),
                all.stream().flatMap(each -> each.cells().stream()).toList());
    }

    /** As a note, if what was measured in one call may not compare with that of another. */
    private static List<String> placesIfSeveral(List<Results> all) {
        List<String> places = all.stream()
                .map(each ->
                        each.machine().text() + ", Thalweg " + each.machine().thalweg()
                                + (each.machine().commit() == null
                                        ? ""
                                        : " at " + each.machine().commit()))
                .distinct()
                .toList();
        return places.size() == 1
                ? List.of()
                : List.of(
                        "Of several calls, whose differences may be those of their machines or commits; the head is of the"
                                + " first: " + String.join("; ", places));
    }

    /** The same with other settings of each cell, such as those without secrets. */
    public Results withSettings(UnaryOperator<Map<String, String>> others) {
        return new Results(
                schema,
                machine,
                asked,
                memoryGbPerS,
                studies,
                cells.stream()
                        .map(cell -> cell.withSettings(others.apply(cell.settings())))
                        .toList());
    }

    /** One of each name: the notes of a study may have changed from one call to another. */
    private static List<StudyText> texts(Stream<StudyText> all) {
        Map<String, StudyText> byName = new LinkedHashMap<>();
        all.forEach(text -> byName.merge(text.name(), text, StudyText::with));
        return List.copyOf(byName.values());
    }
}
