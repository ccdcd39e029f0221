// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.HostedOrders;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
final class LocalControlChannelTest {
    @Test
    void shouldKnowThatATaskMayStillWrite_untilItsCallHasComeBack() throws Exception {
        LocalControlChannel channel = new LocalControlChannel("a job of this test", "topology", HostedOrders.first(0));
        CountDownLatch mayReturn = new CountDownLatch(1);
        Thread busy = new Thread(() -> {
            boolean returned = false;
            while (!returned) {
                try {
                    mayReturn.await();
                    returned = true;
                } catch (InterruptedException e) {
                    // as a call that heeds no interrupt
                }
            }
        });
        busy.start();
        try {
            LocalControlChannel ofTask = LocalControlChannel.find("a job of this test");
            assertThat(channel.lingers()).isFalse();
            busy.interrupt();
            ofTask.lingers(busy);
            ofTask.close();
            channel.awaitLeft(Long.MAX_VALUE);
            assertThat(channel.lingers()).isTrue();

            mayReturn.countDown();
            busy.join();
            assertThat(channel.lingers()).isFalse();
        } finally {
            mayReturn.countDown();
            channel.forget();
        }
    }
}
