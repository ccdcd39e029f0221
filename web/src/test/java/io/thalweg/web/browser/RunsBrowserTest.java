// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.web.runs.RunsPage;
import io.thalweg.web.runs.SampleRuns;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of all runs. */
final class RunsBrowserTest extends PageInBrowser {
    private static final String BOXES = "document.querySelectorAll('#runs input')";

    private final SampleRuns runs = new SampleRuns();

    @BeforeEach
    void open() throws IOException {
        show(server -> RunsPage.on(server, runs), BOXES + ".length === 2");
    }

    private static String row(String table, String name) {
        return browser.value("[...document.querySelectorAll('#" + table
                + " tbody tr')].find(row => row.firstChild.textContent === '" + name + "').textContent");
    }

    @Test
    void shouldListJobsAndRuns() {
        assertThat(text("#jobs tbody tr")).startsWith("Rivers-1RiversRUNNINGembedded5.0 s7,000");
        assertThat(browser.value("document.querySelector('#jobs a').href")).isEqualTo("http://127.0.0.1:1/");
        assertThat(browser.value("document.querySelectorAll('#jobs a').length")).isEqualTo("1");
        assertThat(text("#jobs tbody tr:nth-child(2)")).startsWith("Rivers-2does not answerNO ANSWER");
        assertThat(text("#runs tbody tr:nth-child(2)"))
                .contains("Rivers", "FINISHED", "60 s", "60,000", "1.00k", "20 µs");
        assertThat(browser.value("document.querySelectorAll('main i, main b, main img').length"))
                .isEqualTo("0");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldCompareTwoRunsByKeys() throws Exception {
        browser.value(BOXES + "[1].focus()");
        browser.press(" ");
        browser.await("document.querySelector('#chosen-title').textContent.startsWith('Rivers, run of')");
        assertThat(row("said", "bound")).isEqualTo("boundits input <b>");
        assertThat(row("plan", "operator count")).contains("window, 2 tasks, tumbling 1000 ms, keeps state");
        browser.value(BOXES + "[0].focus()");
        browser.press(" ");
        browser.await("document.querySelector('#chosen-title').textContent === 'Rivers: two runs'");
        assertThat(row("measures", "Took")).isEqualTo("Took60 s90 s1.50×");
        assertThat(row("measures", "State")).isEqualTo("StateFINISHEDFAILEDdiffers");
        assertThat(row("measures", "Failure")).isEqualTo("Failureout of <b>levels</b>differs");
        assertThat(row("measures", "99 % below")).endsWith("same");
        assertThat(row("settings", "--threads")).isEqualTo("--threads24differs");
        assertThat(text("#same-plan")).isEqualTo("Both runs have the same plan.");
        assertThat(browser.value("(() => { const c = document.getElementById('course');"
                        + " const d = c.getContext('2d').getImageData(60, 0, c.width - 60, c.height - 20).data;"
                        + " return d.some((value, i) => i % 4 === 3 && value > 0); })()"))
                .isEqualTo("true");
        keep("runs");
        browser.prefer("dark");
        keep("runs-dark");
        browser.press("Escape");
        browser.await(
                "document.querySelector('#chosen-section').hidden && document.activeElement === " + BOXES + "[0]");
        assertThat(browser.value("[..." + BOXES + "].some(box => box.checked)")).isEqualTo("false");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldShowATuningByKeys() throws Exception {
        browser.await("document.querySelectorAll('#tunings button').length === 1");
        assertThat(text("#tunings tbody tr"))
                .startsWith("Show")
                .contains("Rivers", "throughput", "RUNNING", "60 s", "1.50×");
        assertThat(browser.value("document.querySelector('#tunings a').href")).isEqualTo("http://127.0.0.1:1/");
        browser.value("document.querySelector('#tunings button').focus()");
        browser.press(" ");
        browser.await("document.querySelectorAll('#tuning .steps li').length === 2");
        assertThat(text("#tuning-title")).startsWith("Rivers, tuning of ").endsWith(": RUNNING");
        assertThat(text("#tuning .steps li:last-child")).contains("collector: parallel being tried");
        runs.tuning.over = true;
        browser.await("document.querySelector('#tuning-title').textContent.endsWith(': FINISHED')");
        assertThat(text("#tuning .steps li:last-child")).contains("output differs");
        assertThat(browser.value("document.querySelectorAll('#tunings a, main i, main b').length"))
                .isEqualTo("0");
        keep("tunings");
        browser.press("Escape");
        browser.await("document.querySelector('#tuning-section').hidden"
                + " && document.activeElement === document.querySelector('#tunings button')");
        assertThat(browser.complaints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 390, 768})
    void shouldFitANarrowScreen(int width) throws Exception {
        browser.size(width, 800);
        browser.value(BOXES + "[0].click()");
        browser.value(BOXES + "[1].click()");
        browser.await("document.querySelector('#tunings button')");
        browser.value("document.querySelector('#tunings button').click()");
        browser.await("innerWidth === " + width + " && !document.querySelector('#chosen-section').hidden"
                + " && !document.querySelector('#tuning-section').hidden");
        keep("runs-width-" + width);
        assertThat(browser.value("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo("true");
    }

    @Tag("integration")
    @Test
    void shouldSayThatARunIsDamaged() {
        runs.damaged = "{";
        browser.await(BOXES + ".length === 1");
        assertThat(text("#no-runs")).isEqualTo("What is kept of 1 of them is damaged and left out.");
        assertThat(browser.value("document.querySelector('#no-runs').hidden")).isEqualTo("false");
        runs.damaged = null;
        browser.await(BOXES + ".length === 2 && document.querySelector('#no-runs').hidden");
        assertThat(browser.complaints()).isEmpty();
    }

    @Tag("integration")
    @Test
    void shouldSayThatARunIsOfAnotherVersion_untilItCanBeShown() {
        runs.damaged = "{\"id\":\"first\",\"topology\":\"Old\",\"state\":\"FINISHED\",\"over\":true}";
        browser.await("[...document.querySelectorAll('#runs tbody tr')].some(row => row.textContent.includes('Old'))");
        assertThat(text("#runs tbody tr:nth-child(2)")).contains("–OldFINISHED").doesNotContain("NaN", "undefined");
        browser.value(BOXES + "[1].click()");
        String notice = "The run cannot be shown: it is kept by another version of Thalweg.";
        browser.await("document.querySelector('#notice').textContent === '" + notice + "'");
        int before = runs.asked.get();
        while (runs.asked.get() < before + 3) { // it asks again and again
            assertThat(text("#notice")).isEqualTo(notice);
        }
        assertThat(browser.value("document.querySelector('#notice').hidden")).isEqualTo("false");
        runs.damaged = null;
        browser.await("document.querySelector('#chosen-title').textContent.startsWith('Rivers, run of')");
        browser.await("document.querySelector('#notice').hidden");
        assertThat(browser.complaints()).isEmpty();
    }

    @Tag("integration")
    @Test
    void shouldSayWhatIsWrong() {
        runs.problem = "history.db is damaged";
        browser.await(
                "document.querySelector('#no-runs').textContent === 'The runs cannot be read: history.db is damaged.'");
        server.close();
        browser.await("document.querySelector('#notice').textContent.startsWith('thalweg web does not answer')");
    }
}
