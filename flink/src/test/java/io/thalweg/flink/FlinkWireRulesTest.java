// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.wire.WireRulesContract;
import org.junit.jupiter.api.Tag;

/** Messages of Avro and Protobuf on Flink. */
@Tag("integration")
final class FlinkWireRulesTest extends WireRulesContract {
    @Override
    protected Runner runner() {
        return LocalFlink.shared().runner(RunSettings.defaults().withParallelism(PARALLELISM));
    }
}
