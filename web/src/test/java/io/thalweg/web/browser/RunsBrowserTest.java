// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.web.runs.RunsPage;
import io.thalweg.web.runs.SampleRuns;
import io.thalweg.web.server.ListenAddress;
import io.thalweg.web.server.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of all runs in a real browser. {@code -Dthalweg.pictures=FOLDER} keeps pictures of it, to be looked at. */
final class RunsBrowserTest {
    private static final String BOXES = "document.querySelectorAll('#runs input')";

    @TempDir
    private static Path profile;

    private static @Nullable Chromium browser;

    private final SampleRuns runs = new SampleRuns();
    private @Nullable WebServer server;

    @BeforeAll
    static void start() throws IOException {
        Optional<Path> program = Chromium.find();
        assumeTrue(
                program.isPresent(),
                "the page is not tested in a browser: there is no chromium on the path, and CHROMIUM names none");
        browser = new Chromium(program.get(), profile);
    }

    @AfterAll
    static void stop() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() throws IOException {
        browser.size(1_300, 900);
        browser.prefer("light");
        server = WebServer.open(ListenAddress.local("--web", 0), null);
        RunsPage.on(server, runs);
        browser.open(server.address("/"));
        browser.await(BOXES + ".length === 2");
    }

    @AfterEach
    void close() {
        browser.open("about:blank");
        if (server != null) {
            server.close();
        }
    }

    private static void keep(String name) throws IOException {
        String folder = System.getProperty("thalweg.pictures");
        if (folder != null) {
            Files.write(Files.createDirectories(Path.of(folder)).resolve(name + ".png"), browser.picture());
        }
    }

    private static String text(String selector) {
        return browser.value("document.querySelector('" + selector + "').textContent");
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

    @ParameterizedTest
    @ValueSource(ints = {320, 390, 768})
    void shouldFitANarrowScreen(int width) throws Exception {
        browser.size(width, 800);
        browser.value(BOXES + "[0].click()");
        browser.value(BOXES + "[1].click()");
        browser.await("innerWidth === " + width + " && !document.querySelector('#chosen-section').hidden");
        keep("runs-width-" + width);
        assertThat(browser.value("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo("true");
    }

    @Test
    void shouldSayWhatIsWrong() {
        runs.problem = "history.db is damaged";
        browser.await(
                "document.querySelector('#no-runs').textContent === 'The runs cannot be read: history.db is damaged.'");
        server.close();
        browser.await("document.querySelector('#notice').textContent.startsWith('thalweg web does not answer')");
    }
}
