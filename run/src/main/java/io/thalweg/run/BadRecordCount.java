// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/**
 * What a job has read since it was first started, and how much of it was bad.
 *
 * @param read records that came from sources, or into a later chain if those were more, including those that no source
 *     could decode
 * @param bad of those: they could not be decoded, were given up after all retries, or an operator rejected them or
 *     something derived from them; a record that two branches reject may count twice
 * @param records all bad records
 */
public record BadRecordCount(long read, long bad, long records) {
    /** A tally of counts that may have been taken at slightly different moments, or count a record twice. */
    public static BadRecordCount of(long read, long bad, long records) {
        return new BadRecordCount(Math.max(read, bad > 0 ? 1 : 0), Math.min(bad, Math.max(read, 1)), records);
    }
}
