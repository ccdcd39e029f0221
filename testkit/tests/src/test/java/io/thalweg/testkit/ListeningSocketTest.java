// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.RunSettings;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListeningSocketTest {
    @Test
    void shouldTellWhatListensBeyondLoopback() throws Exception {
        assumeTrue(ListeningSocket.canBeListed());
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket open = new ServerSocket(0);
                ServerSocket here = new ServerSocket(0, 1, loopback);
                DatagramSocket datagrams = new DatagramSocket(0);
                DatagramSocket hereDatagrams = new DatagramSocket(0, loopback)) {
            assertThat(ListeningSocket.beyondLoopback())
                    .extracting(ListeningSocket::port)
                    .contains(open.getLocalPort(), datagrams.getLocalPort())
                    .doesNotContain(here.getLocalPort(), hereDatagrams.getLocalPort());
            assertThat(ListeningSocket.of(ProcessHandle.current()))
                    .extracting(ListeningSocket::port)
                    .contains(here.getLocalPort(), hereDatagrams.getLocalPort());
        }
        assertThat(ListeningSocket.beyondLoopback()).isEmpty();
    }

    @Test
    void anEmbeddedJobShouldListenNowhere() throws Exception {
        assumeTrue(ListeningSocket.canBeListed());
        List<ListeningSocket> before = ListeningSocket.of(ProcessHandle.current());
        TestSource<Long> source = TestSource.of(Long.class).add(1L);
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("quiet");
        topology.from(source).shuffle().map(n -> n + 1).to(sink);
        Job job = new EmbeddedRunner(RunSettings.defaults().withParallelism(2)).start(topology.graph());
        while (sink.records().isEmpty()) {
            Thread.onSpinWait();
        }

        assertThat(ListeningSocket.of(ProcessHandle.current())).isEqualTo(before);

        source.end();
        job.await();
    }
}
