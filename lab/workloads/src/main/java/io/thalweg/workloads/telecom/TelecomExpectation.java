// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query must return that sums all measures over five-minute windows, grouped by chosen dimensions. Each profile
 * comes equally often in every window, and what it adds to a sum is a formula; only records of a last window that is not
 * whole, and those held back to be late, are gone through one by one. Memory grows with the profiles, not the records.
 */
public final class TelecomExpectation {
    private final TelecomSettings settings;
    private final TelecomSize size;
    private final TelecomProfiles profiles;
    private final Groups groups;

    public TelecomExpectation(TelecomSettings settings, List<TelecomDimension> dimensions) {
        this.settings = settings;
        this.size = settings.size();
        this.profiles = TelecomProfiles.of(size);
        this.groups = new Groups(profiles, dimensions);
    }

    /** Windows that have records, from 0. */
    public long windows() {
        return settings.windows();
    }

    /** Rows of all windows together. */
    public long rows() {
        long rows = 0;
        for (long window = 0; window < windows(); window++) {
            rows += window(window).rows();
        }
        return rows;
    }

    /** What the rows are grouped by, to be read. */
    String grouping() {
        List<String> names =
                groups.dimensions().stream().map(TelecomDimension::fieldName).toList();
        return names.size() > 6 ? names.size() + " dimensions" : String.join(", ", names);
    }

    /** How many different values the dimensions take together. */
    public int groups() {
        return groups.count();
    }

    /** What is expected of one window. */
    ExpectedWindow window(long window) {
        Occurrences occurrences = new Occurrences(profiles);
        addWindow(window, occurrences);
        return new ExpectedWindow(groups, occurrences);
    }

    /** The sums of one group in one window; null if the window has no row for it. */
    public @Nullable TelecomSums sums(long window, List<@Nullable String> key) {
        ExpectedWindow expected = window(window);
        int group = groups.find(key);
        return group == Groups.NONE ? null : expected.sums(group);
    }

    /**
     * The sums over all records that are not late, of all windows together.
     *
     * @throws IllegalStateException if the stream has no end
     */
    public TelecomSums totals() {
        if (settings.endless()) {
            throw new IllegalStateException("a stream without an end has no totals");
        }
        Occurrences occurrences = new Occurrences(profiles);
        long whole = settings.records() / size.windowRecords();
        for (long window = 0; window < Math.min(4, whole); window++) {
            occurrences.addWindows(window, (whole - window + 3) / 4); // windows 4 apart have the same cycles modulo 4
        }
        if (settings.late() != 0) {
            for (long window = 0; window < whole; window++) {
                takeHeldBack(window, occurrences);
            }
        }
        if (whole < windows()) {
            addPart(whole, occurrences);
        }
        SumsOfProfiles totals = new SumsOfProfiles();
        for (int g = 0; g < size.profiles(); g++) {
            totals.add(g, profiles.bases(g), occurrences);
        }
        return totals.toSums();
    }

    private void addWindow(long window, Occurrences occurrences) {
        if ((window + 1) * size.windowRecords() > settings.records()) {
            addPart(window, occurrences);
            return;
        }
        occurrences.addWindows(window, 1);
        if (settings.late() != 0) {
            takeHeldBack(window, occurrences);
        }
    }

    /** Held back records count in no window: they come too late or not at all. */
    private void takeHeldBack(long window, Occurrences occurrences) {
        long first = window * size.windowRecords();
        for (long j = settings.late() - 1L; j < size.windowRecords(); j += settings.late()) {
            occurrences.add(first + j, -1);
        }
    }

    private void addPart(long window, Occurrences occurrences) {
        for (long i = window * size.windowRecords(); i < settings.records(); i++) {
            if (!settings.heldBack(i)) {
                occurrences.add(i, 1);
            }
        }
    }
}
