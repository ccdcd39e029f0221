// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SamplerTest {
    /** Otherwise what a run used in its last second would not count. */
    @Test
    void shouldLookOnceMoreWhenItIsAsked() {
        try (Sampler sampler = new Sampler(ProcessHandle.current())) {
            for (int i = 0; i < 2; i++) {
                long askedNs = System.nanoTime();
                List<ProcessSample> samples = sampler.samples();
                ProcessSample last = samples.get(samples.size() - 1);
                assertThat(last.timeNs()).isGreaterThanOrEqualTo(askedNs);
                assertThat(last.cpuMs()).isPositive();
                assertThat(samples).isSortedAccordingTo((a, b) -> Long.compare(a.timeNs(), b.timeNs()));
            }
        }
    }
}
