// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.List;

/**
 * One call of the lab.
 *
 * @param schema the version of this form, now 1
 */
public record Results(int schema, Machine machine, List<StudyText> studies, List<CellResult> cells) {
    public static final int SCHEMA = 1;
}
