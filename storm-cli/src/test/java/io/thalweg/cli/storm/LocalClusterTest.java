// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.ILocalCluster;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.junit.jupiter.api.Test;

/** A main that was compiled with Storm's LocalCluster names its methods with the types that they return there. */
final class LocalClusterTest {
    @Test
    void shouldHaveTheSignaturesOfStorm() throws Exception {
        Class<?> cluster = LocalCluster.class;
        assertThat(cluster.getMethod("submitTopology", String.class, Map.class, StormTopology.class)
                        .getReturnType())
                .isEqualTo(LocalCluster.LocalTopology.class);
        assertThat(cluster.getMethod(
                                "submitTopologyWithOpts",
                                String.class,
                                Map.class,
                                StormTopology.class,
                                SubmitOptions.class)
                        .getReturnType())
                .isEqualTo(LocalCluster.LocalTopology.class);
        assertThat(LocalCluster.LocalTopology.class)
                .isAssignableTo(StormTopology.class)
                .isAssignableTo(ILocalCluster.ILocalTopology.class);
        assertThat(cluster.getMethod("withLocalModeOverride", Callable.class, long.class)
                        .getReturnType())
                .isEqualTo(Object.class);
        assertThat(LocalCluster.Builder.class.getMethod("build").getReturnType())
                .isEqualTo(cluster);
        assertThat(Modifier.isFinal(cluster.getModifiers())).isFalse();
    }

    @Test
    void shouldRefuseToSimulateTime() {
        assertThatThrownBy(() -> new LocalCluster.Builder().withSimulatedTime())
                .hasMessageContaining("there is no LocalCluster here that could simulate time");
    }
}
