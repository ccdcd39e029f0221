// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import java.util.ArrayList;
import java.util.List;

/** Time goes on when a test says so. */
final class SteppedContext implements SourceContext {
    final List<BadRecord> bad = new ArrayList<>();
    long nowNs;

    @Override
    public void bad(BadRecord record) {
        bad.add(record);
    }

    @Override
    public long nowNs() {
        return nowNs;
    }
}
