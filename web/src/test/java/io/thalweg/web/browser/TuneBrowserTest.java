// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.web.runs.SampleTuning;
import io.thalweg.web.runs.TunePage;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a tuning that goes on. */
final class TuneBrowserTest extends PageInBrowser {
    private final SampleTuning tuning = new SampleTuning();

    @BeforeEach
    void open() throws IOException {
        show(new TunePage(tuning::detail)::on, "document.querySelectorAll('.steps li').length === 2");
    }

    @Test
    void shouldShowStepsAsTheyHappen() throws Exception {
        assertThat(text("#job")).isEqualTo("Rivers");
        assertThat(text("#state")).isEqualTo("RUNNING");
        assertThat(text("#tuning .facts"))
                .contains(
                        "Nowcollector: parallel, pair 2",
                        "Given--set in=<i>levels</i>, --budget 10m",
                        "As it was1.00k/s");
        assertThat(text(".steps li:first-child"))
                .contains(
                        "parallelism: 1 → 4 kept",
                        "Wherepart",
                        "one task is busy <b>",
                        "1.20 to 2.40 times the throughput",
                        "1.00k/s → 1.50k/s · 1.01k/s → 1.49k/s · ",
                        "1.50× (1.41 to 1.60), 1.00k/s → 1.50k/s, 3 pairs",
                        "Verdictthe gain is real");
        assertThat(text(".steps li:last-child"))
                .contains("collector: parallel being tried", "the whole job", "1.50k/s → 1.52k/s", "1.01×, ", "1 pair");
        assertThat(text("#tuning"))
                .contains("queue: 64withdrawn by an earlier call", "max-pending: 10refused: it is not acked");
        assertThat(text("#tuning pre")).contains("    parallelism: 4  # <i>odd</i>\n");
        assertThat(browser.value("document.querySelectorAll('main i, main b').length"))
                .isEqualTo("0");
        keep("tune");
        browser.prefer("dark");
        keep("tune-dark");
        tuning.over = true;
        browser.await("document.querySelector('#state').textContent === 'FINISHED'");
        assertThat(text(".steps li:last-child"))
                .contains("collector: g1 → parallel output differs", "it changes the output: other contents at 'out'");
        assertThat(text("#notice")).isEqualTo("The tuning has ended (FINISHED).");
        server.close();
        browser.await("document.querySelector('#notice').textContent.endsWith('What is shown is how it ended.')");
    }

    @Test
    void shouldPauseByAKey() throws Exception {
        browser.press("p");
        assertThat(browser.value("document.querySelector('#pause').getAttribute('aria-pressed')"))
                .isEqualTo("true");
        browser.press("p");
        assertThat(text("#pause")).isEqualTo("Pause page");
        assertThat(browser.complaints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 390, 768})
    void shouldFitANarrowScreen(int width) throws Exception {
        browser.size(width, 800);
        browser.await("innerWidth === " + width);
        keep("tune-width-" + width);
        assertThat(browser.value("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo("true");
    }
}
