// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import org.jspecify.annotations.Nullable;

/** The rows that one window must have. */
final class ExpectedWindow {
    private final Groups groups;
    private final Occurrences occurrences;
    private final int rows;

    ExpectedWindow(Groups groups, Occurrences occurrences) {
        this.groups = groups;
        this.occurrences = occurrences;
        int occurring = 0;
        for (int group = 0; group < groups.count(); group++) {
            occurring += has(group) ? 1 : 0;
        }
        rows = occurring;
    }

    Groups groups() {
        return groups;
    }

    int rows() {
        return rows;
    }

    boolean has(int group) {
        return groups.occurs(group, occurrences);
    }

    /** Null if the window has no row for the group. */
    @Nullable TelecomSums sums(int group) {
        SumsOfProfiles sums = groups.sums(group, occurrences);
        return sums.empty() ? null : sums.toSums();
    }
}
