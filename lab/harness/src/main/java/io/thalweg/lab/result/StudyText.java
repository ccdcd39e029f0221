// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a report says of a study besides figures.
 *
 * @param name such as {@code storm-2012}
 * @param setup the authors' machines and settings
 * @param conclusions what the authors concluded
 * @param notes how it was run here and what differs, to be read above the table
 */
public record StudyText(String name, String title, String setup, List<String> conclusions, List<String> notes) {
    /** The same, with what another text of the study says beside it. */
    StudyText with(StudyText other) {
        return new StudyText(name, title, setup, both(conclusions, other.conclusions), both(notes, other.notes));
    }

    private static List<String> both(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).distinct().toList();
    }
}
