// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/**
 * What a job has read since it was first started, and how much of it was bad.
 *
 * @param read records that came from sources, or into a later chain if those were more; with those that no source could read
 * @param bad of those: they could not be read, were given up, or an operator refused them or something that came of them; a
 *     record that two branches refuse may count twice
 * @param records all bad records
 */
public record BadTally(long read, long bad, long records) {
    /** Of counts that may be a moment apart, or hold a record twice. */
    public static BadTally of(long read, long bad, long records) {
        return new BadTally(Math.max(read, bad > 0 ? 1 : 0), Math.min(bad, Math.max(read, 1)), records);
    }
}
