// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.run.BadReasons;
import io.thalweg.run.BadRecordCount;
import io.thalweg.run.BadWatch;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the bad records of a job, and says when there are too many. */
final class BadRecordRules {
    private final String topology;
    private final RunSettings settings;
    private final BadReasons reasons = new BadReasons();
    private final BadWatch watch;

    BadRecordRules(String topology, RunSettings settings) {
        this.topology = topology;
        this.settings = settings;
        watch = new BadWatch(topology, settings.badLimit(), () -> reasons);
    }

    BadReasons reasons() {
        return reasons;
    }

    /** @throws JobFailedException if a single bad record fails the job */
    void onBad(String operator, BadRecord record) {
        reasons.add(operator, record);
        settings.badRecords().bad(topology, operator, record);
        if (settings.failOnBad()) {
            throw new JobFailedException(
                    "topology '" + topology + "', operator '" + operator + "': bad record in " + record.describe(),
                    null);
        }
    }

    /** Checks periodically whether there are too many; null if not. */
    @Nullable JobFailedException look(long nowNs, Supplier<BadRecordCount> tally) {
        return watch.isDue(nowNs) ? watch.running(nowNs, tally.get()) : null;
    }

    /** Like {@link #look}, after the last record. */
    @Nullable JobFailedException ended(BadRecordCount tally) {
        return watch.ended(tally);
    }
}
