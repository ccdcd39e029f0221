// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.List;

/**
 * One call of the lab.
 *
 * @param schema the version of this form, now 2
 */
public record Results(int schema, Machine machine, List<StudyText> studies, List<CellResult> cells) {
    public static final int SCHEMA = 2;

    /** The version before, which lacks some fields of cells and runs and is read all the same. */
    static final int BEFORE = 1;

    /**
     * The cells of several calls as those of one, as if they had been made on the first one's machine.
     *
     * @param all at least one
     */
    public static Results merged(List<Results> all) {
        return new Results(
                SCHEMA,
                all.get(0).machine(),
                all.stream().flatMap(each -> each.studies().stream()).distinct().toList(),
                all.stream().flatMap(each -> each.cells().stream()).toList());
    }
}
