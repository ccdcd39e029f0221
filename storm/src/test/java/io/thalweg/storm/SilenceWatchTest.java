// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is told of a topology of which nothing is heard, and when the job ends. */
final class SilenceWatchTest {
    private static final TopologyStatus WAITS = new TopologyStatus(TopologyStatus.State.WAITS, "no slot", "");
    private static final TopologyStatus RUNS = new TopologyStatus(TopologyStatus.State.RUNS, "all run", "");

    private final List<String> warnings = new ArrayList<>();
    private final SilenceWatch watch = new SilenceWatch("quiet", 2, warnings::add, this::mayOpenAgain, 0);

    /** How many more deaths of workers the job may wait for. */
    private int patience = 3;

    private @Nullable TopologyStatus standing = WAITS;
    private int asked;

    private @Nullable ControlMessage look(int seconds) {
        return look(seconds, false);
    }

    private @Nullable ControlMessage look(int seconds, boolean stopping) {
        return watch.look(
                new Submitter.Running() {
                    @Override
                    public List<ControlMessage> receive(Duration atMost) {
                        return List.of();
                    }

                    @Override
                    public @Nullable TopologyStatus standing() {
                        asked++;
                        return standing;
                    }

                    @Override
                    public void cancel() {}

                    @Override
                    public void end() {}
                },
                stopping,
                ns(seconds));
    }

    private boolean mayOpenAgain() {
        return patience-- > 0;
    }

    /** All executors have come up, the second for so many seconds. */
    private static TopologyStatus up(int seconds) {
        return new TopologyStatus(
                TopologyStatus.State.RUNS,
                "all run",
                "; its last error, of 'chain-1': heap",
                Map.of(
                        1, new TopologyStatus.Up("one:6700", "a/6700/worker.log", 1_000),
                        2, new TopologyStatus.Up("one:6701", "a/6701/worker.log", seconds)));
    }

    private static long ns(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private void hear(int task, int seconds) {
        watch.heard(ControlMessage.of(ControlMessage.Kind.COUNTS, task, 1), ns(seconds));
    }

    @Test
    void shouldTellOnce_andEndAJobThatDoesNotBegin() {
        assertThat(look(29)).isNull();
        assertThat(asked).isZero();
        for (int seconds = 30; seconds < 300; seconds++) {
            assertThat(look(seconds)).isNull();
        }
        assertThat(warnings)
                .containsExactly(
                        "topology 'quiet' has not begun on Storm after 30 s: no slot; the job waits, 5 minutes at most");
        assertThat(asked).as("Nimbus is not asked all the time").isEqualTo(9);

        ControlMessage end = look(300);
        assertThat(end).isNotNull();
        assertThat(end.isFailedForGood()).isTrue();
        assertThat(end.text()).isEqualTo("topology 'quiet' has not begun on Storm after 300 s: no slot");
    }

    @Test
    void shouldWaitForEachTask() {
        hear(1, 20);
        hear(1, 40);
        assertThat(look(49)).isNull();
        assertThat(warnings).isEmpty();
        look(50);
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("topology 'quiet' has not begun on Storm after 30 s: ");
    }

    /** A table that takes long to read, say. */
    @Test
    void shouldWaitForTasksThatOpen() {
        standing = RUNS;
        assertThat(look(30)).isNull();
        assertThat(look(3_000)).isNull();
        assertThat(warnings).containsExactly("topology 'quiet' has not begun on Storm after 30 s: all run");
    }

    @Test
    void shouldTellOfEachSilenceOfAJobThatRuns() {
        hear(0, 1);
        hear(1, 2);
        hear(1, 30);
        assertThat(look(59)).isNull();
        assertThat(warnings).isEmpty();
        assertThat(look(60)).isNull();
        assertThat(look(1_000)).isNull();
        hear(0, 1_001);
        assertThat(look(1_031)).isNull();
        String line = "topology 'quiet' has said nothing for 30 s: no slot";
        assertThat(warnings).containsExactly(line, line);
    }

    @Test
    void shouldEndAJobWhoseTopologySomebodyHasKilled() {
        hear(0, 1);
        hear(1, 2);
        standing = TopologyStatus.gone();
        ControlMessage end = look(32);
        assertThat(end).isNotNull();
        assertThat(end.isFailedForGood()).isTrue();
        assertThat(end.text())
                .isEqualTo(
                        "topology 'quiet' has said nothing for 30 s: it is on the cluster no more: somebody has killed"
                                + " it");
        assertThat(warnings).isEmpty();
    }

    /** One task opens for minutes, and another's worker is moved meanwhile. */
    @Test
    void shouldCountFromWhenTheTopologyHadItsWorkers() {
        hear(1, 10);
        standing = RUNS;
        for (int seconds = 40; seconds <= 340; seconds += 30) {
            assertThat(look(seconds)).isNull();
        }
        standing = WAITS;
        assertThat(look(370)).isNull();
        assertThat(warnings)
                .last()
                .isEqualTo(
                        "topology 'quiet' has not begun on Storm after 360 s: no slot; the job waits, 5 minutes at most");
        standing = RUNS;
        assertThat(look(400)).isNull();
        assertThat(warnings).as("each once").hasSize(2);
        standing = WAITS;
        assertThat(look(699)).isNull();
        ControlMessage end = look(729);
        assertThat(end).isNotNull();
        assertThat(end.isFailedForGood()).isTrue();
    }

    @Test
    void shouldEndAStoppedJobWhoseWorkersAreGone() {
        hear(0, 1);
        hear(1, 2);
        assertThat(look(32, true)).isNull();
        ControlMessage end = look(62, true);
        assertThat(end).isNotNull();
        assertThat(end.isFailedForGood()).isTrue();
        assertThat(end.text())
                .isEqualTo("topology 'quiet' has said nothing for 60 s: no slot; nobody is there to stop it, so it ends"
                        + " without a last checkpoint");
    }

    @Test
    void shouldEndAJobThatIsStoppedBeforeItHasBegun() {
        assertThat(look(29, true)).isNull();
        ControlMessage end = look(30, true);
        assertThat(end).isNotNull();
        assertThat(end.kind()).isEqualTo(ControlMessage.Kind.OVER);
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldWaitForANimbusThatDoesNotAnswer_andAskNobodyInThisJvm() {
        standing = TopologyStatus.unknown(new IllegalStateException("no Nimbus answers"));
        assertThat(look(600)).isNull();
        assertThat(warnings).containsExactly("topology 'quiet' has not begun on Storm after 600 s: no Nimbus answers");
        standing = null;
        hear(0, 601);
        assertThat(look(1_200)).isNull();
        assertThat(warnings).hasSize(1);
    }

    /** As where reading a table takes more memory than a worker has: all executors run whenever Nimbus is asked. */
    @Test
    void shouldEndAJobWhoseWorkerDiesAgainAndAgain_whileItOpens() {
        hear(0, 1);
        ControlMessage end = null;
        int seconds = 31;
        for (; end == null && seconds < 10_000; seconds += 30) {
            standing = up(60 + seconds % 90);
            end = look(seconds);
        }
        assertThat(end).isNotNull();
        assertThat(end.isFailedForGood()).isTrue();
        String died = ": the worker on one:6701 has died; Storm's logs there, a/6701/worker.log, say why, such as too"
                + " little memory; its last error, of 'chain-1': heap";
        assertThat(end.text())
                .startsWith("topology 'quiet' has not begun on Storm after ")
                .endsWith(died + "; that was death 4 before all tasks had opened, so the job waits no longer; --restart"
                        + " sets how many it waits for");
        assertThat(warnings)
                .hasSize(4)
                .first()
                .isEqualTo("topology 'quiet' has not begun on Storm after 30 s: all run");
        assertThat(warnings.subList(1, 4))
                .allSatisfy(line -> assertThat(line).endsWith(died + "; Storm starts it again"));
    }

    @Test
    void shouldNotTakeAWorkerForDead_thatOpensForLong() {
        hear(0, 1);
        for (int seconds = 31; seconds < 3_000; seconds += 30) {
            standing = up(seconds - seconds % 60 + 1_000);
            assertThat(look(seconds)).isNull();
        }
        assertThat(warnings).containsExactly("topology 'quiet' has not begun on Storm after 30 s: all run");
    }

    private @Nullable ControlMessage lookWhileOneTalks(int from, int to, boolean stopping) {
        ControlMessage end = null;
        for (int seconds = from; end == null && seconds <= to; seconds++) {
            hear(0, seconds);
            end = look(seconds, stopping);
        }
        return end;
    }

    /** Its worker dies at its start, say, before it can say that it was another one. */
    @Test
    void shouldTellOfATaskThatIsGone_whileOthersTalk() {
        hear(1, 1);
        assertThat(lookWhileOneTalks(2, 120, false)).isNull();
        assertThat(asked).as("it may be in a call that takes long").isZero();
        assertThat(lookWhileOneTalks(121, 400, false)).isNull();
        assertThat(warnings)
                .containsExactly("topology 'quiet' has heard nothing of 1 of its 2 tasks for 120 s: no slot");

        hear(1, 401);
        assertThat(lookWhileOneTalks(402, 521, false)).isNull();
        assertThat(warnings).as("of each silence").hasSize(2);
    }

    @Test
    void shouldSayNothingOfATaskInALongCall_whileOthersTalk() {
        standing = RUNS;
        hear(1, 1);
        assertThat(lookWhileOneTalks(2, 2_000, false)).isNull();
        assertThat(warnings).isEmpty();
    }

    /** Otherwise it would never end: who is gone cannot drain. */
    @Test
    void shouldEndAStoppedJob_ofWhichATaskIsGone() {
        hear(1, 1);
        ControlMessage end = lookWhileOneTalks(2, 1_000, true);
        assertThat(end).isNotNull();
        assertThat(end.isFailedForGood()).isTrue();
        assertThat(end.text())
                .startsWith("topology 'quiet' has heard nothing of 1 of its 2 tasks for 1")
                .endsWith("; nobody is there to stop it, so it ends without a last checkpoint");
    }

    /** What was open in it is lost. */
    @Test
    void shouldGiveUpAnAttempt_ofWhichAWorkerHasDiedThatSaysNothing() {
        standing = up(600);
        hear(1, 1);
        assertThat(lookWhileOneTalks(2, 130, false)).isNull();
        standing = up(60);
        ControlMessage end = lookWhileOneTalks(131, 1_000, false);
        assertThat(end).isNotNull();
        assertThat(end.kind()).isEqualTo(ControlMessage.Kind.LOST);
        assertThat(end.text()).contains(" 1 of its 2 tasks for ", ": the worker on one:6701 has died; ");
        assertThat(patience).as("the job counts it").isEqualTo(3);
    }
}
