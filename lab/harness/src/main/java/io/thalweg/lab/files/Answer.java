// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at the rows that came out of one run, one after the other, in any order. */
interface Answer {
    /** The names of the columns, which a file may begin with. */
    List<String> header();

    /** @throws IllegalArgumentException if a field cannot be read; the message says which */
    void row(List<String> fields);

    /** What is wrong with the rows, once all have been looked at; null if they are right. */
    @Nullable String problem();
}
