// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.BadRecord;

/** Is handed every bad record; several threads may call at once. */
@FunctionalInterface
public interface BadRecordListener {
    void bad(String topology, String operator, BadRecord record);
}
