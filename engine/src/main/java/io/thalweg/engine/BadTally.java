// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a job has read since it was first started, and how much of it was bad.
 *
 * @param read records that came from sources, or into a later chain if those were more; with those that no source could read
 * @param bad of those: they could not be read, were given up, or an operator refused them or something that came of them; a
 *     record that two branches refuse may count twice
 * @param records all bad records
 */
public record BadTally(long read, long bad, long records) {
    static BadTally of(Collection<HostedCounts> tasks) {
        long fromSources = 0;
        long bad = 0;
        long records = 0;
        Map<List<String>, Long> inOfChains = new HashMap<>();
        for (HostedCounts each : tasks) {
            if (each.reads()) {
                fromSources += each.read();
            } else {
                inOfChains.merge(each.task().operators(), each.read(), Long::sum);
            }
            bad += each.bad();
            records += each.badRecords();
        }
        long most =
                inOfChains.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return of(Math.max(fromSources, most), bad, records);
    }

    /** Of counts that may be a moment apart, or hold a record twice. */
    public static BadTally of(long read, long bad, long records) {
        return new BadTally(Math.max(read, bad > 0 ? 1 : 0), Math.min(bad, Math.max(read, 1)), records);
    }
}
