// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.flink.FlinkCluster;
import io.thalweg.testkit.contract.TuneContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
final class TuneOnFlinkTest extends TuneContract {
    TuneOnFlinkTest() {
        super("flink", java(), List.of("parallelism: 1", "buffer-timeout: 50ms", "buffer-size: 64k"));
    }

    private static List<String> java() {
        List<String> java = new ArrayList<>(FlinkCluster.OPENS);
        java.add("-Dlog4j2.configurationFile=classpath:thalweg-flink-log4j2.properties");
        return java;
    }

    @Test
    void shouldRefuseInOneLineWhatFlinkDoesNotTake() throws Exception {
        assertThat(refused("run", "Paced.java", "--on", "flink", "--flink-conf", "parallelism.default=many"))
                .contains("parallelism.default");
    }
}
