// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.JobState;
import io.thalweg.web.SampleJob;
import io.thalweg.web.page.JobPage;
import io.thalweg.web.page.Judgement;
import io.thalweg.web.page.Order;
import io.thalweg.web.server.Answer;
import io.thalweg.web.watch.JobWatch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of one job. */
final class BrowserTest extends PageInBrowser {
    private static final String CHAINS = "document.querySelectorAll('.chain')";

    private final JobWatch watch = new JobWatch();
    private final AtomicReference<Judgement> judgement = new AtomicReference<>(Judgement.NONE);

    @BeforeEach
    void open() throws IOException {
        for (int second = 1; second <= 90; second++) {
            watch.look(SampleJob.after(second));
        }
        show(
                server -> new JobPage(watch, 16, judgement::get).on(server),
                CHAINS + ".length === 3 && document.querySelector('#edges text').textContent !== ''");
    }

    @Test
    void shouldShowTheJob() throws Exception {
        keep("light");
        assertThat(text("h1")).isEqualTo("Rivers");
        assertThat(text("#state")).isEqualTo("RUNNING");
        assertThat(text("#totals")).contains("Records in90,0001.00k/s", "Bad3", "Late2", "Behind11");
        assertThat(browser.value("[...document.querySelectorAll('#edges text')].map(each => each.textContent).join()"))
                .isEqualTo("1.00k/s,by key,1.00k/s,forward");
        assertThat(browser.value("[..." + CHAINS + "].map(each => each.className).join()"))
                .isEqualTo("chain busy,chain busy,chain wait");
        assertThat(browser.value(CHAINS + "[1].textContent"))
                .contains(
                        "count window",
                        "store sink",
                        "×2 · 1.00k in",
                        "busy 50 %",
                        "queues 25 % full",
                        "skew 1.5×",
                        "2 late");
        assertThat(text("#bad")).contains("no level: <b>12x</b>", "levels.txt, line 3, offset 8");
        assertThat(text("#late-by")).contains("2count5.1 s");
        assertThat(text("#late-samples")).contains(SampleJob.ODD, "1970-01-01T00:00:01.000Z", "–", "5.1 s");
        assertThat(text("#checkpoints")).contains("500 B");
        assertThat(text("#acks")).contains("Pending5", "Timed out2");
        assertThat(text("#lost")).contains("lost for");
        assertThat(text("#options")).contains("at-least-once");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldShowNamesAsTheyAre() {
        assertThat(browser.value(CHAINS + "[0].children[1].textContent")).startsWith(SampleJob.ODD);
        assertThat(browser.value("document.querySelectorAll('img, main b b, td b').length"))
                .isEqualTo("0");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldDrawLatencyAndRates() {
        for (String chart : new String[] {"rates", "heat"}) {
            assertThat(browser.value("(() => { const c = document.getElementById('" + chart + "');"
                            + " const d = c.getContext('2d').getImageData(60, 0, c.width - 60, c.height - 20).data;"
                            + " return d.some((value, i) => i % 4 === 3 && value > 0); })()"))
                    .as(chart)
                    .isEqualTo("true");
        }
        assertThat(browser.value("document.getElementById('heat').getAttribute('aria-label')"))
                .contains("99 % below 400 µs");
    }

    @Test
    void shouldFollowTheJob() {
        watch.look(SampleJob.after(123));
        browser.await("document.querySelector('#totals').textContent.includes('123,000')");
        watch.look(SampleJob.after(125, "embedded", JobState.RUNNING, 1));
        browser.await(
                "document.querySelector('#notice').textContent === 'Restarted 1 time; last after: it <b>failed</b>'");
        assertThat(browser.complaints()).isEmpty();
    }

    private static String bound(String findings) {
        return "{\"seconds\":75.5,\"bound\":{\"kind\":\"operator\",\"operator\":\"count\",\"text\":\"'count', one task\","
                + "\"evidence\":[{\"name\":\"busy\",\"value\":89.5,\"unit\":\"%\"}]},\"findings\":[" + findings
                + "],\"problem\":null}";
    }

    @Tag("integration")
    @Test
    void shouldShowWhatTheDoctorSays() throws Exception {
        assertThat(text("#doctor-none")).isEqualTo("Nothing has been judged yet.");
        String finding = """
                {"rule":"skewed-keys","severity":0.5,"operator":"count","task":"count+store[1]",
                "evidence":[{"name":"records","value":1500,"unit":"/s"}],"why":"one task gets <b>most</b> records",
                "remedy":"take another key","option":null,"predicted_gain":{"low":1.2,"high":1.75,"of":"throughput"},
                "refuted_by":"equal tasks"}""";
        judgement.set(new Judgement(1, bound(finding + "," + finding.replace("skewed-keys", "slow-task"))));
        browser.await("document.querySelectorAll('#findings li').length === 2");
        assertThat(text("#findings li"))
                .isEqualTo(
                        "skewed-keys in count+store[1]one task gets <b>most</b> records"
                                + "Measuredrecords 1,500/sRemedytake another keyPredicted1.20 to 1.75 times the throughputWrong ifequal tasks");
        assertThat(text("#doctor-bound")).isEqualTo("Bound by 'count', one task");
        assertThat(text("#doctor-about")).contains("the last 76 s");
        keep("doctor");
        browser.prefer("dark");
        keep("doctor-dark");
        browser.size(390, 800);
        keep("doctor-narrow");
        assertThat(browser.value("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo("true");

        judgement.set(new Judgement(
                2,
                bound(finding.replace("1500", "null").replace("1.75", "\"Infinity\"") + ","
                        + finding.replace("1500", "\"NaN\"").replace("1.2,", "null,"))));
        browser.await("document.querySelector('#findings dd').textContent === 'records –/s'");
        assertThat(text("#findings")).doesNotContain("Predicted", "NaN", "null", "Infinity");

        judgement.set(new Judgement(3, bound("")));
        browser.await("document.querySelectorAll('#findings li').length === 0");
        assertThat(text("#doctor-none")).isEqualTo("Nothing to change. Measured: busy 89.5 %.");
        judgement.set(new Judgement(4, "{\"seconds\":0,\"bound\":null,\"findings\":[],\"problem\":\"it cannot\"}"));
        browser.await("document.querySelector('#doctor-none').textContent === 'it cannot.'");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldHaveNoButtonsUnlessItMayGiveOrders() {
        assertThat(browser.value("document.querySelector('#control').hidden")).isEqualTo("true");
        assertThat(text("#reads")).startsWith("The page only reads");
    }

    private void obey(Function<Order, CompletableFuture<String>> job) throws IOException {
        close();
        show(
                opened -> {
                    JobPage page = new JobPage(watch, 16, judgement::get);
                    page.allowOrders("right", job);
                    page.on(opened);
                },
                "!document.querySelector('#control').hidden");
    }

    @Test
    void shouldStopTheJobOnTheSecondClick() throws Exception {
        List<Order> given = new CopyOnWriteArrayList<>();
        obey(order -> {
            given.add(order);
            return CompletableFuture.completedFuture("stopping");
        });
        browser.open(server.address("/") + "#control=right");
        browser.await("!document.querySelector('#control').hidden && location.hash === ''");
        assertThat(browser.value("document.querySelector('#control-ask').hidden"))
                .isEqualTo("true");
        assertThat(browser.value("document.querySelector('#reads').hidden")).isEqualTo("true");
        keep("control");

        browser.value("document.querySelector('[data-order=stop]').click()");
        assertThat(given).isEmpty();
        // It is asked for only for some seconds, which may be over by now: then once more.
        String twice = "(stop => { if (stop.textContent === 'Stop') { stop.click(); } const asked = stop.textContent;"
                + " stop.click(); return asked; })(document.querySelector('[data-order=stop]'))";
        assertThat(browser.value(twice)).isEqualTo("Really stop");
        browser.await("document.querySelector('#control-said').textContent === 'stopping'");
        assertThat(text("[data-order=stop]")).isEqualTo("Stop");
        assertThat(given).containsExactly(Order.STOP);

        watch.look(SampleJob.after(91, "embedded", JobState.CANCELLED, 0));
        browser.await("document.querySelector('[data-order=stop]').disabled");
        assertThat(browser.complaints()).isEmpty();
    }

    @Tag("integration")
    @Test
    void shouldAskForTheTokenAndSayWhyAnOrderFails() throws Exception {
        CompletableFuture<String> savepoint = new CompletableFuture<>();
        obey(order -> savepoint);
        browser.value("sessionStorage.clear()");
        browser.value("document.querySelector('[data-order=savepoint]').click()");
        browser.await("document.querySelector('#control-said').textContent.startsWith('the header Thalweg-Control')");
        assertThat(browser.value("document.activeElement.id")).isEqualTo("control-token");
        browser.press("p");
        assertThat(browser.value("document.querySelector('#pause').getAttribute('aria-pressed')"))
                .as("a letter of the token is no key of the page")
                .isEqualTo("false");

        browser.value("document.querySelector('#control-token').value = 'right'");
        browser.value("document.querySelector('[data-order=savepoint]').click()");
        browser.await("document.querySelector('#control-said').textContent === 'it is being done'");
        savepoint.completeExceptionally(new IllegalStateException("it takes <b>no</b> checkpoints"));
        browser.await("document.querySelector('#control-said.alarm').textContent === 'it takes <b>no</b> checkpoints'");
        keep("control-failed");
        browser.size(320, 800);
        browser.await("innerWidth === 320");
        assertThat(browser.value("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo("true");
    }

    @Test
    void shouldBeUsedByKeys() throws Exception {
        browser.value(CHAINS + "[0].focus()");
        browser.press("ArrowRight");
        browser.await(
                "document.activeElement !== " + CHAINS + "[0] && document.activeElement.className.includes('chain')");
        browser.value(CHAINS + "[1].focus()");
        browser.press("Enter");
        browser.await("document.querySelectorAll('#tasks tbody tr').length === 2");
        assertThat(text("#tasks-title")).isEqualTo("Tasks of count + store");
        assertThat(text("#tasks tbody tr:last-child")).contains("150 %", "90 %", "4.0 kB");
        assertThat(browser.value(CHAINS + "[1].getAttribute('aria-pressed')")).isEqualTo("true");
        keep("tasks");
        browser.press("Escape");
        browser.await(
                "document.querySelector('#tasks-section').hidden && document.activeElement === " + CHAINS + "[1]");
        browser.press("p");
        browser.await("document.querySelector('#pause').getAttribute('aria-pressed') === 'true'");
        assertThat(browser.complaints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void shouldBeReadable(String scheme) throws Exception {
        browser.prefer(scheme);
        keep(scheme);
        assertThat(browser.value("matchMedia('(prefers-color-scheme: " + scheme + ")').matches"))
                .isEqualTo("true");
        String contrast = """
                (() => {
                  const style = getComputedStyle(document.documentElement);
                  const light = name => {
                    const hex = style.getPropertyValue(name).trim();
                    const part = i => { const v = parseInt(hex.slice(i, i + 2), 16) / 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
                    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
                  };
                  let least = 99;
                  for (const ink of ['--ink', '--quiet', '--bad', '--good', '--accent']) {
                    for (const ground of ['--panel', '--ground']) {
                      const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
                      least = Math.min(least, (a + 0.05) / (b + 0.05));
                    }
                  }
                  return least;
                })()""";
        assertThat(Double.parseDouble(browser.value(contrast)))
                .as("contrast of texts")
                .isGreaterThan(4.5);
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 390, 768})
    void shouldFitANarrowScreen(int width) throws Exception {
        browser.size(width, 800);
        browser.await("innerWidth === " + width);
        keep("width-" + width);
        assertThat(browser.value("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo("true");
        assertThat(browser.value("(() => { const a = " + CHAINS + "[0].getBoundingClientRect(), b = " + CHAINS
                        + "[1].getBoundingClientRect(); return a.bottom <= b.top || a.right <= b.left; })()"))
                .as("boxes do not cover each other")
                .isEqualTo("true");
    }

    @Tag("integration")
    @Test
    void shouldShowAThousandChains() throws Exception {
        close();
        JobWatch wide = new JobWatch();
        wide.look(SampleJob.wide(1_000));
        show(
                opened -> new JobPage(wide, 16, null).on(opened),
                CHAINS + ".length === 1001 && document.querySelector('#totals').textContent !== ''");
        keep("thousand");
        assertThat(browser.value("document.querySelector('#graph-scroll').clientHeight < innerHeight"))
                .as("what is below it can be reached")
                .isEqualTo("true");
        browser.value(CHAINS + "[500].focus()");
        browser.press("ArrowDown");
        browser.await("document.activeElement === " + CHAINS + "[501]");
        assertThat(browser.value("(() => { const box = document.activeElement.getBoundingClientRect(), place ="
                        + " document.querySelector('#graph-scroll').getBoundingClientRect();"
                        + " return box.top >= place.top && box.bottom <= place.bottom; })()"))
                .as("it is scrolled to")
                .isEqualTo("true");
        assertThat(browser.complaints()).isEmpty();
    }

    @Tag("integration")
    @Test
    void shouldTellHowTheJobEnded() {
        watch.look(SampleJob.after(90, "embedded", JobState.FAILED, 0));
        browser.await("document.querySelector('#state').textContent === 'FAILED'");
        server.close();
        browser.await("document.querySelector('#notice').textContent.startsWith('The job has ended (FAILED). What')");
    }

    @Tag("integration")
    @Test
    void shouldTellThatTheJobStartsAgain() {
        watch.look(SampleJob.failedForNow(90));
        browser.await("document.querySelector('#state').textContent === 'RESTARTING'");
        assertThat(text("#notice")).isEqualTo("The job has failed; it starts again in a moment.");
        server.close();
        browser.await("document.querySelector('#notice').textContent.startsWith('The job does not answer any more')");
    }

    @Test
    void shouldBeLoadedAnewForAnotherRun() throws Exception {
        CountDownLatch loaded = new CountDownLatch(1);
        new JobPage(watch, 16, null).on(server);
        server.serve("/page.css", query -> {
            loaded.countDown();
            return Answer.of("text/css", "");
        });
        assertThat(loaded.await(4, TimeUnit.MINUTES)).isTrue();
    }

    @Tag("integration")
    @Test
    void shouldTellThatTheJobDoesNotAnswer() {
        server.close();
        browser.await("document.querySelector('#state').textContent === 'NO ANSWER'");
        assertThat(text("#notice")).startsWith("The job does not answer any more");
    }
}
