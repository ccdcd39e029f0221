// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.Serializable;

/**
 * How many records may be bad before a job fails.
 *
 * <p>When its input ends, a job fails if more than {@code share} of the records it read were bad, or if it read some
 * and none was good. While it runs, a job fails if {@code share} or more of what it read within a minute was bad,
 * provided it read at least 1,000 records. In both cases it also fails as soon as more than {@code records} were bad.
 *
 * @param share from 0 to 1; a greater value means no such limit
 * @param records {@link Long#MAX_VALUE} means no such limit
 */
public record BadLimit(double share, long records) implements Serializable {
    private static final double NO_SHARE = Double.POSITIVE_INFINITY;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public BadLimit {
        if (!(share >= 0) || records < 0) {
            throw new IllegalArgumentException("a limit of bad records is not below 0");
        }
    }

    /** No limit: any number of records may be bad, even all. */
    public static BadLimit none() {
        return new BadLimit(NO_SHARE, Long.MAX_VALUE);
    }

    /** Half of the records: the default. */
    public static BadLimit half() {
        return share(0.5);
    }

    /**
     * A share of the records.
     *
     * @param share from 0 to 1; with 1, a job fails only if no record is good
     */
    public static BadLimit share(double share) {
        return new BadLimit(share, Long.MAX_VALUE);
    }

    /** A number of records, whatever their share; at least one record must be good. */
    public static BadLimit records(long records) {
        return new BadLimit(1, records);
    }

    /** The same limit, with a share as well. */
    public BadLimit andShare(double of) {
        return new BadLimit(of, records);
    }

    boolean isNone() {
        return share == NO_SHARE && records == Long.MAX_VALUE;
    }
}
