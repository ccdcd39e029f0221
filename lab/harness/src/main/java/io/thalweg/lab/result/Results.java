// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One call of the lab, or as much of it as has been measured.
 *
 * @param schema the version of this form, now 2
 * @param asked what the call was told to run, and how; only a call that is told the same may go on with its results. Null in results
 *     of several calls, and of earlier versions
 */
public record Results(
        int schema, Machine machine, @Nullable String asked, List<StudyText> studies, List<CellResult> cells) {
    public static final int SCHEMA = 2;

    /** The version before, which lacks some fields of cells and runs and is read all the same. */
    static final int BEFORE = 1;

    /** Of no call that could go on. */
    public Results(int schema, Machine machine, List<StudyText> studies, List<CellResult> cells) {
        this(schema, machine, null, studies, cells);
    }

    /**
     * The cells of several calls as those of one, as if they had been made on the first one's machine.
     *
     * @param all at least one
     */
    public static Results merged(List<Results> all) {
        return new Results(
                SCHEMA,
                all.get(0).machine(),
                texts(all.stream().flatMap(each -> each.studies().stream())),
                all.stream().flatMap(each -> each.cells().stream()).toList());
    }

    /** One of each name: the notes of a study may have changed from one call to another. */
    private static List<StudyText> texts(Stream<StudyText> all) {
        Map<String, StudyText> byName = new LinkedHashMap<>();
        all.forEach(text -> byName.merge(text.name(), text, StudyText::with));
        return List.copyOf(byName.values());
    }
}
