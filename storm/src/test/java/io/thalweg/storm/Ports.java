// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.testkit.ListeningSocket;
import java.util.List;

/** Not in the test itself, whose functions travel to Storm's workers without the test kit. */
final class Ports {
    private Ports() {}

    /** @param atLeast so many: ZooKeeper, Nimbus, the supervisor, and the workers that run */
    static void shouldBeOfLoopback(List<ProcessHandle> processes, int atLeast) {
        assumeTrue(ListeningSocket.canBeListed());
        assertThat(processes.stream().flatMap(process -> ListeningSocket.of(process).stream()))
                .hasSizeGreaterThanOrEqualTo(atLeast)
                .allMatch(socket -> socket.address().isLoopbackAddress());
    }
}
