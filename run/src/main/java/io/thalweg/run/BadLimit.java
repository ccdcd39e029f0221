// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.Serializable;

/**
 * How many records may be bad before a job fails.
 *
 * <p>A job whose input ends fails if more than {@code share} of the records that it read were bad, and if it read some and not
 * one was good. A job that runs fails if {@code share} or more of what it read in a whole minute was bad, 1,000 records at
 * least. Either fails once more than {@code records} were bad.
 *
 * @param share from 0 to 1; greater for no such limit
 * @param records {@link Long#MAX_VALUE} for no such limit
 */
public record BadLimit(double share, long records) implements Serializable {
    private static final double NO_SHARE = Double.POSITIVE_INFINITY;

    public BadLimit {
        if (!(share >= 0) || records < 0) {
            throw new IllegalArgumentException("a limit of bad records is not below 0");
        }
    }

    /** A job may have any number of bad records, and no good one. */
    public static BadLimit none() {
        return new BadLimit(NO_SHARE, Long.MAX_VALUE);
    }

    /** Half of the records: the default. */
    public static BadLimit half() {
        return share(0.5);
    }

    /** @param share from 0 to 1; with 1, a job fails only if not one record is good */
    public static BadLimit share(double share) {
        return new BadLimit(share, Long.MAX_VALUE);
    }

    /** So many records, whatever their share; but one at least must be good. */
    public static BadLimit records(long records) {
        return new BadLimit(1, records);
    }

    /** This share too. */
    public BadLimit andShare(double of) {
        return new BadLimit(of, records);
    }

    boolean isNone() {
        return share == NO_SHARE && records == Long.MAX_VALUE;
    }
}
