// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import java.util.ArrayList;
import java.util.List;

/** Keeps the bad records, and what the user is told. */
final class FakeContext implements SourceContext {
    final List<BadRecord> bad = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();

    @Override
    public void bad(BadRecord record) {
        bad.add(record);
    }

    @Override
    public void warn(String message) {
        warnings.add(message);
    }

    @Override
    public long nowNs() {
        return 0;
    }

    List<String> reasons() {
        return bad.stream().map(BadRecord::reason).toList();
    }
}
