// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import java.util.ArrayList;
import java.util.List;

/** Keeps the bad records. */
final class FakeContext implements SourceContext {
    final List<BadRecord> bad = new ArrayList<>();

    @Override
    public void bad(BadRecord record) {
        bad.add(record);
    }

    @Override
    public long nowNs() {
        return 0;
    }

    List<String> reasons() {
        return bad.stream().map(BadRecord::reason).toList();
    }
}
