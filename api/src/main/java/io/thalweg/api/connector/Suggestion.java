// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Suggests a name that a user may have meant, for messages about unknown names. */
public final class Suggestion {
    private Suggestion() {}

    /**
     * The closest name by edit distance: {@code ; did you mean out?}
     *
     * @param typed what the user typed
     * @param names that exist
     * @return empty if no name is close enough
     */
    public static String of(String typed, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(typed, name)))
                .filter(name -> distance(typed, name) <= Math.min(3, typed.length() / 2))
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    /** Letters to insert, delete or replace, whatever their case, until one is the other (Levenshtein). */
    private static int distance(String from, String to) {
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
