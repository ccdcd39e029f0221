// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Step.Outcome;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The decisions, with measurements that are made up. */
final class TunerTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_261_126);
    private static final Machine MACHINE = new Machine(
            2,
            "g1",
            1_000_000_000,
            Set.of("threads", "parallelism", "idle", "queue", "batch", "heap", "collector", "isolate", "shuffle"));
    private static final Machine FLINK =
            new Machine(2, "g1", 1_000_000_000, Set.of("parallelism", "isolate", "buffer-timeout", "buffer-size"));
    private static final Duration LONG = Duration.ofHours(2);
    private static final double NOISE = 0.05;

    private final List<TuneReport> told = new ArrayList<>();
    private Observation isolated;

    @BeforeEach
    void read() throws Exception {
        isolated = recorded("isolated");
    }

    private static Observation recorded(String name) throws Exception {
        return read("/io/thalweg/doctor/corpus/" + name + ".json");
    }

    private static Observation read(String name) throws Exception {
        try (InputStream in = TunerTest.class.getResourceAsStream(name)) {
            return ObservationFile.read(Objects.requireNonNull(in, name).readAllBytes());
        }
    }

    private TuneReport tune(MadeUpTrials trials, Choice... withdrawnBefore) {
        return tune(Goal.THROUGHPUT, trials, withdrawnBefore);
    }

    private TuneReport tune(Goal goal, MadeUpTrials trials, Choice... withdrawnBefore) {
        return tune(goal, trials, Choices.NONE, withdrawnBefore);
    }

    private TuneReport tune(Goal goal, MadeUpTrials trials, Choices start, Choice... withdrawnBefore) {
        return new Tuner(goal, trials, MACHINE, start, List.of(withdrawnBefore), told::add, line -> {}).tune();
    }

    private MadeUpTrials trials(Duration budget) {
        return new MadeUpTrials(isolated, budget, NOISE, SEED);
    }

    /** What the doctor advises first for the job of the corpus. */
    private Choice advice() {
        return Candidates.of(Goal.THROUGHPUT, isolated, MACHINE).get(0).choice();
    }

    @Test
    void shouldTryTheDoctorsAdviceFirstAndKeepItIfItPays() {
        TuneReport report = tune(trials(LONG).with(advice(), 1.6));

        assertThat(advice().setting()).isEqualTo(Setting.ISOLATE);
        Step first = report.steps().get(0);
        assertThat(first.from()).isEqualTo("doctor: unfused-edge");
        assertThat(first.outcome()).as(first.reason()).isEqualTo(Outcome.KEPT);
        assertThat(Objects.requireNonNull(first.measured()).ratio()).isBetween(1.4, 1.8);
        assertThat(first.predicted()).isNotNull();
        assertThat(first.prediction()).isIn("held", "too high", "too low");
        assertThat(report.kept()).containsExactly(advice());
        assertThat(report.ended()).isEqualTo("nothing else to try");
    }

    @Test
    void shouldTellEachPairOfAStepWhileItIsTried() {
        TuneReport report = tune(trials(LONG).with(advice(), 1.6));

        Step first = report.steps().get(0);
        assertThat(first.was()).isEqualTo("true");
        assertThat(first.pairs())
                .hasSize(Objects.requireNonNull(first.measured()).pairs());
        assertThat(told.get(0).steps()).isEmpty();
        int pairs = first.pairs().size();
        for (int i = 0; i < pairs; i++) {
            assertThat(told.get(i + 1).steps()).hasSize(1);
            Step trying = told.get(i + 1).steps().get(0);
            assertThat(trying.outcome()).isEqualTo(Outcome.TRYING);
            assertThat(trying.choice()).isEqualTo(first.choice());
            assertThat(trying.pairs()).isEqualTo(first.pairs().subList(0, i));
        }
        assertThat(told.get(pairs + 1).steps()).containsExactly(first);
        assertThat(report.steps()).extracting(Step::outcome).doesNotContain(Outcome.TRYING);
    }

    @Test
    void shouldKnowWhatASettingWasBefore() {
        Choices start = new Choices(List.of(Choice.of(Setting.COLLECTOR, "serial")));
        TuneReport report = tune(Goal.THROUGHPUT, trials(LONG), start);

        assertThat(was(report, Setting.COLLECTOR)).isEqualTo("serial");
        assertThat(was(report, Setting.BATCH)).isEqualTo("512");
        assertThat(was(report, Setting.QUEUE)).isEqualTo("16");
    }

    private static @Nullable String was(TuneReport report, Setting setting) {
        return report.steps().stream()
                .filter(step -> step.choice().setting() == setting)
                .findFirst()
                .orElseThrow()
                .was();
    }

    @Test
    void shouldWithdrawAdviceThatDoesNothingAndGoOn() {
        MadeUpTrials trials = trials(LONG).with(advice(), 1).with(Choice.of(Setting.COLLECTOR, "parallel"), 1.3);
        TuneReport report = tune(trials);

        assertThat(report.steps().get(0).outcome()).isEqualTo(Outcome.WITHIN_NOISE);
        assertThat(report.kept()).containsExactly(Choice.of(Setting.COLLECTOR, "parallel"));
        assertThat(trials.runs.get(trials.runs.size() - 1).all()).doesNotContain(advice());
    }

    @Test
    void shouldWithdrawWhatChangesTheOutputWhateverItGains() {
        TuneReport report = tune(trials(LONG).with(advice(), 5).changingOutput(advice()));

        Step first = report.steps().get(0);
        assertThat(first.outcome()).isEqualTo(Outcome.OUTPUT_DIFFERS);
        assertThat(first.reason()).contains("changes the output").contains("'out'");
        assertThat(report.kept()).doesNotContain(advice());
    }

    @Test
    void shouldWithdrawWhatMakesTheJobFailOrSlower() {
        Step failing = tune(trials(LONG).failing(advice())).steps().get(0);
        assertThat(failing.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(failing.reason()).contains("planted");
        Step slower = tune(trials(LONG).with(advice(), 0.5)).steps().get(0);
        assertThat(slower.outcome()).isEqualTo(Outcome.WITHDRAWN);
        assertThat(slower.reason()).contains("worse");
        Step hanging = tune(trials(LONG).with(advice(), 0.001)).steps().get(0);
        assertThat(hanging.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(hanging.reason()).contains("did not end within");
    }

    @Test
    void shouldNotTryWhatWasWithdrawnBeforeOrDoesNotFit() {
        Choice collector = Choice.of(Setting.COLLECTOR, "parallel");
        MadeUpTrials trials = trials(LONG).with(advice(), 2).unfit(collector);
        TuneReport report = tune(trials, advice());

        assertThat(trials.ran(advice())).isFalse();
        assertThat(trials.ran(collector)).isFalse();
        assertThat(report.skipped()).containsExactly(advice());
        assertThat(report.unfit()).containsExactly(new TuneReport.Unfit(collector, "planted"));
        assertThat(TuneText.end(report)).contains("not tried " + collector.words() + ": planted\n");
        assertThat(report.steps()).isNotEmpty();
    }

    @Test
    void shouldEndWithTheBudgetAndKeepWhatWasProven() {
        TuneReport report = tune(trials(Duration.ofSeconds(40)).with(advice(), 2));

        assertThat(report.ended()).isEqualTo("the budget is over");
        assertThat(report.kept()).containsExactly(advice());
        assertThat(report.seconds()).isLessThanOrEqualTo(40);
        assertThat(told.get(told.size() - 1).kept()).containsExactly(advice());
    }

    /** What is left of the budget is too little for six runs of the job as it was. */
    @Test
    void shouldGoOnWhereRunsAreShorterWithWhatIsKept() {
        MadeUpTrials trials = trials(Duration.ofSeconds(90)).with(advice(), 10);
        trials.seconds = 10;
        TuneReport report = tune(trials);

        assertThat(report.steps().get(0).outcome()).isEqualTo(Outcome.KEPT);
        assertThat(report.steps()).hasSizeGreaterThan(1);
        assertThat(report.seconds()).isLessThanOrEqualTo(90);
    }

    /** One that loses is over after two pairs, and says nothing about how long the next takes. */
    @Test
    void shouldGoOnAfterAChangeWithWhichRunsTakeLonger() {
        MadeUpTrials trials = trials(Duration.ofSeconds(100)).with(advice(), 0.3);
        TuneReport report = tune(trials);

        assertThat(report.steps().get(0).outcome()).isEqualTo(Outcome.WITHDRAWN);
        assertThat(report.steps()).hasSizeGreaterThan(1);
        assertThat(report.seconds()).isLessThanOrEqualTo(100);
    }

    private static Choices badSettings() {
        return new Choices(List.of(
                Choice.of(Setting.PARALLELISM, 1),
                Choice.of(Setting.BATCH, 8),
                Choice.of(Setting.QUEUE, 2),
                Choice.of(Setting.HEAP, "1g")));
    }

    private static MadeUpTrials held(MadeUpTrials trials, double factor) {
        return trials.with(Choice.of(Setting.BATCH, 8), factor);
    }

    /** No single change of them helps. */
    @Test
    void shouldLeaveOutWhatWasGivenIfTheJobIsBetterWithoutAllOfIt() throws Exception {
        TuneReport report = tune(Goal.THROUGHPUT, held(trials(LONG), 0.5).with(advice(), 1.5), badSettings());

        TuneReport.Reset reset = Objects.requireNonNull(report.reset());
        assertThat(reset.outcome()).isEqualTo(Outcome.KEPT);
        assertThat(Objects.requireNonNull(reset.measured()).ratio()).isBetween(1.8, 2.2);
        assertThat(report.isReset()).isTrue();
        assertThat(report.kept()).as("a limit stays").containsExactly(Choice.of(Setting.HEAP, "1g"), advice());
        assertThat(Objects.requireNonNull(report.total()).ratio()).isBetween(2.5, 3.5);
        assertThat(TuneText.reset(report))
                .startsWith("  0. without parallelism: 1, batch: 8, queue: 2 (trial)\n")
                .contains("     kept      the gain is real");
        assertThat(TuneText.end(report))
                .contains("kept      the job without parallelism: 1, batch: 8, queue: 2; " + advice().words() + "\n");
        String text = TunedYaml.of(report, "thalweg tune Job.java");
        assertThat(text).contains("# the job without parallelism: 1, batch: 8, queue: 2: measured ");
        assertThat(TunedYaml.read(text).stream().map(TunedYaml.Entry::choice))
                .containsExactlyInAnyOrderElementsOf(report.kept());
        assertThat(RecordJson.read(RecordJson.text(report).getBytes(StandardCharsets.UTF_8), TuneReport.class))
                .isEqualTo(report);
    }

    /** What was given makes runs so long that there is no time for three pairs. */
    @Test
    void shouldLeaveOutWhatWasGivenIfTwoPairsAreEnoughToSeeIt() {
        TuneReport report =
                tune(Goal.THROUGHPUT, held(trials(Duration.ofSeconds(90)), 0.1).with(advice(), 1.5), badSettings());

        assertThat(Objects.requireNonNull(report.reset()).reason())
                .isEqualTo("twice as much or more in both of the first pairs");
        assertThat(report.kept()).containsExactly(Choice.of(Setting.HEAP, "1g"), advice());
        assertThat(report.seconds()).isLessThanOrEqualTo(90);
    }

    @Test
    void shouldSayThatTheJobIsBetterWithoutWhatWasGivenIfNothingElsePays() {
        TuneReport report = tune(Goal.THROUGHPUT, held(trials(LONG), 0.5).withOthers(0.8), badSettings());

        assertThat(report.changes()).isEmpty();
        assertThat(report.isReset()).isTrue();
        assertThat(report.isWithdrawn()).isFalse();
        assertThat(TuneText.end(report)).contains("kept      the job without parallelism: 1, batch: 8, queue: 2\n");
        assertThat(TunedYaml.of(report, "thalweg tune Job.java")).doesNotContain("no change was shown to pay");
    }

    @Test
    void shouldKeepWhatWasGivenIfTheJobIsWorseWithoutIt() {
        MadeUpTrials trials = held(trials(LONG), 3);
        TuneReport report = tune(Goal.THROUGHPUT, trials, badSettings());

        assertThat(Objects.requireNonNull(report.reset()).outcome()).isEqualTo(Outcome.WITHDRAWN);
        assertThat(report.isReset()).isFalse();
        assertThat(report.kept()).containsAll(badSettings().all());
        assertThat(trials.runs).filteredOn(run -> run.all().size() == 1).hasSize(2);
    }

    @Test
    void shouldTryNothingElseIfTheLatencyIsBelowItsLimitWithoutWhatWasGiven() {
        TuneReport report =
                tune(Goal.latency("p99<8ms", 50_000), held(trials(LONG), 0.5).withOthers(0.8), badSettings());

        assertThat(report.before()).isGreaterThan(8_000);
        assertThat(report.isReset()).isTrue();
        assertThat(report.ended()).isEqualTo("the job is below its limit");
        assertThat(report.steps()).isEmpty();
    }

    @Test
    void shouldNotLeaveOutASingleSetting() {
        Choices one = new Choices(List.of(Choice.of(Setting.BATCH, 8), Choice.of(Setting.HEAP, "1g")));

        assertThat(tune(Goal.THROUGHPUT, held(trials(LONG), 0.5), one).reset()).isNull();
        assertThat(tune(trials(LONG)).reset()).isNull();
    }

    @Test
    void shouldTryNothingIfThereIsNoTimeForAVerdict() {
        TuneReport report = tune(trials(Duration.ofSeconds(12)).with(advice(), 2));

        assertThat(report.ended()).isEqualTo("the budget is over");
        assertThat(report.steps()).isEmpty();
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldEndWhenTheUserStopsItAndSayWhatIsUndecided() {
        TuneReport report = tune(trials(LONG).with(advice(), 2).stopAfter(5));

        assertThat(report.ended()).isEqualTo("stopped by the user");
        assertThat(report.steps()).hasSize(1);
        assertThat(report.steps().get(0).outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(report.kept()).isEmpty();
        assertThat(tune(trials(LONG).stopAfter(0)).ended()).isEqualTo("stopped by the user");
    }

    @Test
    void shouldCompareAllChangesTogether() {
        TuneReport report = tune(trials(LONG).with(advice(), 1.5).with(Choice.of(Setting.COLLECTOR, "parallel"), 1.5));

        assertThat(report.kept()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(Objects.requireNonNull(report.total()).ratio()).isBetween(1.9, 2.7);
    }

    private MadeUpTrials twoThatPay() {
        return trials(LONG).with(advice(), 1.5).with(Choice.of(Setting.COLLECTOR, "parallel"), 1.5);
    }

    @Test
    void shouldWithdrawAllChangesIfTheyAreALossTogether() {
        TuneReport report = tune(twoThatPay().inTheEnd(0.2, false));

        assertThat(Objects.requireNonNull(report.total()).high()).isLessThan(1);
        assertWithdrawn(report, "it is worse");
        assertThat(report.isWithdrawn()).isTrue();
        assertThat(tune(twoThatPay()).isWithdrawn()).isFalse();
        assertThat(tune(trials(LONG)).isWithdrawn()).as("nothing was kept").isFalse();
    }

    @Test
    void shouldWithdrawAllChangesIfTheyMakeALatencyWorseTogether() {
        Goal goal = Goal.latency("p99<1us", 50_000);
        TuneReport report = tune(
                goal,
                trials(LONG)
                        .with(Choice.of(Setting.BATCH, 64), 1.5)
                        .with(Choice.of(Setting.QUEUE, 4), 1.5)
                        .inTheEnd(0.2, false));

        assertThat(Objects.requireNonNull(report.total()).low()).isGreaterThan(1);
        assertWithdrawn(report, "it is worse");
    }

    @Test
    void shouldWithdrawAllChangesIfTheyChangeTheOutputTogether() {
        TuneReport report = tune(twoThatPay().inTheEnd(1, true));

        assertThat(report.total()).isNull();
        assertWithdrawn(report, "it changes the output: other contents at 'out'");
    }

    private static void assertWithdrawn(TuneReport report, String why) {
        assertThat(report.steps())
                .filteredOn(step -> step.outcome() == Outcome.KEPT)
                .hasSizeGreaterThan(1);
        assertThat(report.kept()).isEmpty();
        assertThat(report.ended()).isEqualTo("nothing else to try; all of it together is withdrawn: " + why);
        assertThat(TuneText.end(report)).contains("kept      nothing: changes paid one by one, and not together\n");
        assertThat(TunedYaml.of(report, "thalweg tune Job.java"))
                .contains("# changes paid one by one, and not together\n")
                .doesNotContain("all of it", "collector", "batch");
    }

    @Test
    void shouldRefuseAJobThatCannotBeCompared() {
        MadeUpTrials restless = trials(LONG);
        restless.restless = true;
        assertThatThrownBy(() -> tune(restless))
                .isInstanceOf(TuneException.class)
                .hasMessageContaining("two runs of the job as it is")
                .hasMessageContaining("'out'");
        MadeUpTrials brief = trials(LONG);
        brief.seconds = 0.01;
        assertThatThrownBy(() -> tune(brief)).isInstanceOf(TuneException.class).hasMessageContaining("too short");
        MadeUpTrials endless = trials(LONG);
        endless.seconds = 1e9;
        assertThatThrownBy(() -> tune(endless))
                .isInstanceOf(TuneException.class)
                .hasMessageContaining("bound its input");
    }

    /** The first change is kept, and the first pair of the second one is under way. */
    @Test
    void shouldSayWhatIsKnownWhenAnErrorEndsIt() throws Exception {
        int kept = tune(trials(LONG).with(advice(), 1.6)).steps().get(0).pairs().size();
        MadeUpTrials trials =
                trials(LONG).with(advice(), 1.6).restlessAfter(2 + 2 * kept + 1); // two as it is, one watched again
        Tuner tuner = new Tuner(Goal.THROUGHPUT, trials, MACHINE, Choices.NONE, List.of(), told::add, line -> {});
        assertThatThrownBy(tuner::tune).isInstanceOf(TuneException.class);

        TuneReport report = tuner.failed("it puts out other records");

        assertThat(report.failure()).isEqualTo("it puts out other records");
        assertThat(report.ended()).isEqualTo("an error");
        assertThat(report.topology()).isEqualTo(isolated.plan().topology());
        assertThat(report.kept()).containsExactly(advice());
        assertThat(report.steps()).extracting(Step::outcome).containsExactly(Outcome.KEPT, Outcome.UNDECIDED);
        assertThat(report.steps().get(1).reason()).isEqualTo("an error ended it before it was clear");
        assertThat(RecordJson.read(RecordJson.text(report).getBytes(StandardCharsets.UTF_8), TuneReport.class))
                .isEqualTo(report);
    }

    @Test
    void shouldStopWhenTheLatencyIsBelowItsLimit() {
        Goal goal = Goal.latency("p99<4ms", 50_000);
        TuneReport report = tune(goal, trials(LONG).withOthers(2));

        assertThat(report.before()).isBetween(4_000.0, 6_000.0);
        assertThat(report.ended()).isEqualTo("the job is below its limit");
        assertThat(report.steps()).hasSize(1);
        assertThat(Objects.requireNonNull(report.steps().get(0).measured()).ratio())
                .isBetween(0.4, 0.6);
        assertThat(tune(Goal.latency("p99<8ms", 50_000), trials(LONG)).ended())
                .isEqualTo("the job is below its limit already");
    }

    @Test
    void shouldBeginWithSettingsAndTryChangesOfThem() throws Exception {
        Choices start = new Choices(List.of(Choice.of(Setting.THREADS, 7), Choice.of(Setting.COLLECTOR, "parallel")));
        MadeUpTrials trials = trials(LONG).with(advice(), 1.6).with(Choice.of(Setting.COLLECTOR, "parallel"), 2);
        TuneReport report = tune(Goal.THROUGHPUT, trials, start);

        assertThat(trials.runs)
                .filteredOn(run -> !run.all().isEmpty()) // without both, which is tried first
                .allSatisfy(run -> assertThat(run.all()).contains(Choice.of(Setting.COLLECTOR, "parallel")));
        assertThat(report.steps()).extracting(Step::choice).doesNotContain(Choice.of(Setting.COLLECTOR, "parallel"));
        assertThat(report.start()).isEqualTo(start.all());
        assertThat(report.changes()).containsExactly(advice());
        assertThat(report.kept())
                .containsExactlyInAnyOrder(start.all().get(0), start.all().get(1), advice());
        String text = TunedYaml.of(report, "thalweg tune Job.java");
        assertThat(TunedYaml.read(text).stream().map(TunedYaml.Entry::choice))
                .containsExactlyInAnyOrderElementsOf(report.kept());
        assertThat(text.lines().filter(line -> line.endsWith("# given"))).hasSize(2);
        assertThat(TuneText.head(report)).contains("given     threads: 7, collector: parallel\n");
        assertThat(TuneText.end(report)).contains("kept      " + advice().words() + "\n");
    }

    /** What is four times as much depends on what there is. */
    @Test
    void shouldTryMoreAndLessThanTheJobHas() {
        PlanInfo plan = isolated.plan();
        List<PlanInfo.Option> options = new ArrayList<>(plan.options());
        options.add(new PlanInfo.Option("", "queue", "64 batches"));
        options.add(new PlanInfo.Option("", "batch", "32 records"));
        Observation other = new Observation(
                isolated.version(),
                isolated.state(),
                new PlanInfo(
                        plan.topology(),
                        plan.runner(),
                        plan.workers(),
                        plan.operators(),
                        plan.chains(),
                        plan.edges(),
                        options),
                isolated.spans(),
                isolated.operators(),
                isolated.edges(),
                isolated.checkpoints(),
                isolated.acks(),
                isolated.latency(),
                isolated.restarts(),
                isolated.failure(),
                isolated.failedCheckpoints(),
                isolated.group(),
                isolated.storm(),
                isolated.flink(),
                isolated.lateness());

        assertThat(choices(Goal.THROUGHPUT, isolated))
                .contains(Choice.of(Setting.BATCH, 2048), Choice.of(Setting.QUEUE, 64));
        assertThat(choices(Goal.THROUGHPUT, other))
                .contains(Choice.of(Setting.BATCH, 128), Choice.of(Setting.QUEUE, 256));
        assertThat(choices(Goal.latency("p99<4ms", 50_000), isolated))
                .contains(Choice.of(Setting.BATCH, 64), Choice.of(Setting.QUEUE, 4));
        assertThat(choices(Goal.latency("p99<4ms", 50_000), other))
                .contains(Choice.of(Setting.BATCH, 4), Choice.of(Setting.QUEUE, 16));
    }

    /** Two jobs fill their heaps; one only makes many objects, and collections take 2 % of its time; one has pauses, and a third of its heap. */
    @Test
    void shouldTryALargerHeapOnlyWhereCollectionsOfAFullOneTakeTime() throws Exception {
        Choice heap = Choice.of(Setting.HEAP, "2000m");
        Choice collector = Choice.of(Setting.COLLECTOR, "parallel");

        assertThat(choices(Goal.THROUGHPUT, recorded("garbage"))).contains(heap, collector);
        assertThat(choices(Goal.THROUGHPUT, read("/blind/recorded/LastPrices.json")))
                .contains(heap, collector);
        Observation objects = read("/blind/recorded/Baskets.json");
        assertThat(Doctor.diagnose(objects).findings())
                .extracting(Finding::rule)
                .contains("garbage");
        assertThat(choices(Goal.THROUGHPUT, objects)).contains(collector).doesNotContain(heap);
        assertThat(choices(Goal.latency("p99<4ms", 50_000), objects)).doesNotContain(heap);
        assertThat(choices(Goal.THROUGHPUT, recorded("record-copies"))).doesNotContain(heap);
    }

    /** What the model says of {@code batch=8} is not of an operator of that name. */
    @Test
    void shouldNotTakeAnOperatorForTheSettingOfItsName() throws Exception {
        Machine large = new Machine(8, "g1", 1_000_000_000, MACHINE.settings());
        String text = RecordJson.text(isolated).replace("filter", "batch");
        Observation named = ObservationFile.read(text.getBytes(StandardCharsets.UTF_8));

        List<Candidate> candidates = Candidates.of(Goal.latency("p99<4ms", 50_000), named, large);

        assertThat(candidates)
                .filteredOn(each -> each.from().equals("what-if"))
                .extracting(Candidate::choice)
                .contains(Choice.of(Setting.BATCH, 64))
                .doesNotContain(Choice.of("batch", Setting.TASKS, 8));
    }

    @Test
    void shouldTryOnlyWhatCanBeSetThere() {
        List<Choice> choices = Candidates.of(Goal.THROUGHPUT, isolated, FLINK).stream()
                .map(Candidate::choice)
                .toList();

        assertThat(choices)
                .contains(advice(), Choice.of(Setting.BUFFER_TIMEOUT, "1s"), Choice.of(Setting.BUFFER_SIZE, "128k"));
        assertThat(choices).extracting(Choice::name).isSubsetOf(FLINK.settings());
        assertThat(choices(Goal.THROUGHPUT, isolated))
                .extracting(Choice::setting)
                .doesNotContain(Setting.BUFFER_TIMEOUT, Setting.BUFFER_SIZE, Setting.FLOATING_BUFFERS);
    }

    @Test
    void shouldKeepWhatPaysThereAndSayWhatItWasBefore() {
        Choice timeout = Choice.of(Setting.BUFFER_TIMEOUT, "1s");
        MadeUpTrials trials = trials(LONG).with(timeout, 1.4);
        TuneReport report = new Tuner(
                        Goal.THROUGHPUT, trials, FLINK, Choices.NONE, List.of(advice()), told::add, line -> {})
                .tune();

        assertThat(report.kept()).containsExactly(timeout);
        assertThat(was(report, Setting.BUFFER_TIMEOUT)).isEqualTo("100ms");
        assertThat(TunedYaml.of(report, "thalweg tune Job.java --on flink")).contains("buffer-timeout: 1s ");
    }

    private static List<Choice> choices(Goal goal, Observation observation) {
        return Candidates.of(goal, observation, MACHINE).stream()
                .map(Candidate::choice)
                .toList();
    }

    @Test
    void shouldBeReadAgainFromItsJson() throws Exception {
        TuneReport report = tune(trials(LONG).with(advice(), 1.6));

        assertThat(RecordJson.read(RecordJson.text(report).getBytes(StandardCharsets.UTF_8), TuneReport.class))
                .isEqualTo(report);
    }

    @Test
    void shouldWriteSettingsThatCanBeRead() throws Exception {
        TuneReport report = tune(trials(LONG).with(advice(), 1.6).with(Choice.of(Setting.COLLECTOR, "parallel"), 1.3));
        String text = TunedYaml.of(report, "thalweg tune Job.java");

        assertThat(TunedYaml.read(text).stream().map(TunedYaml.Entry::choice))
                .containsExactlyInAnyOrderElementsOf(report.kept());
        assertThat(text.lines().filter(line -> line.contains("measured")))
                .hasSizeGreaterThanOrEqualTo(report.kept().size());
        assertThat(TuneText.head(report) + TuneText.of(report, report.steps().get(0)) + TuneText.end(report))
                .contains("for throughput", "predicted", "measured", "kept");
    }
}
