// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.wire.WireRulesContract;
import org.junit.jupiter.api.Tag;

/** Messages of Avro and Protobuf on a LocalCluster. */
@Tag("integration")
final class WireRulesTest extends WireRulesContract {
    @Override
    protected Runner runner() {
        return StormRunner.local(RunSettings.defaults().withParallelism(PARALLELISM), 1);
    }
}
