// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.ProcessSpan;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GarbageRuleTest {
    private static final long GB = 1_000_000_000;

    /** Reads a million records a second and keeps two cores busy. */
    private static MadeUpJob job(long records) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(records / 2, 0.4, 0, 0)
                .task(records - records / 2, 0.4, 0, 0)
                .operator("sort", "map", "", false)
                .chain(2, "sort")
                .task(records / 2, 0.5, 0, 0)
                .task(records / 2, 0.5, 0, 0);
        job.usedCores = 2;
        return job;
    }

    /** Two cores have 2,000 ms of CPU time a second, and a byte costs 0.065 ns. */
    private static MadeUpJob allocating(double gigabytes) {
        return job(1_000_000).profile("sort", 90, 0, (long) (gigabytes * GB)).profile("in", 10, 0, 0);
    }

    private static List<Finding> found(MadeUpJob job) {
        return new GarbageRule().findings(job.facts());
    }

    private static double figure(Finding finding, String name) {
        return finding.evidence().stream()
                .filter(each -> each.name().equals(name))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElseThrow(() -> new AssertionError(finding.evidence().toString()));
    }

    @Test
    void shouldFindObjectsThatTakeAQuarterOfTheCores() {
        assertThat(found(allocating(7.70))).singleElement().satisfies(finding -> {
            assertThat(finding.operator()).isEqualTo("sort");
            assertThat(finding.why()).contains("lets go of them at once");
            assertThat(figure(finding, "allocated for each record")).isEqualTo(7_700);
            assertThat(figure(finding, "allocated")).isEqualTo(7.7);
            assertThat(figure(finding, "of the CPU time in making and collecting objects, about"))
                    .isEqualTo(25);
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(1 / (1 - 7.7 * 0.065 / 2)));
        });
        assertThat(found(allocating(7.68))).isEmpty();
    }

    @Test
    void shouldAddWhatCollectionsCost() {
        MadeUpJob job = allocating(6.2); // 0.2015 of the cores
        job.gcMs = 70;
        job.gcCpuMs = 98L;
        assertThat(found(job)).hasSize(1);

        job.gcCpuMs = 96L;
        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldTakeCollectionsToUseAllCoresWhereNobodyTells() {
        MadeUpJob job = allocating(6.2);
        job.gcMs = 49;
        assertThat(found(job)).hasSize(1);

        job.gcMs = 48;
        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldNotFindSmallRecordsOfWhichThereAreMany() {
        assertThat(found(job(2_000_000).profile("sort", 9, 0, 8 * GB))).hasSize(1);
        assertThat(found(job(2_000_002).profile("sort", 9, 0, 8 * GB))).isEmpty();
    }

    @Test
    void shouldNotFindWhatNoSingleOperatorAllocates() {
        MadeUpJob half = job(1_000_000).profile("sort", 9, 0, 4 * GB).profile("in", 9, 0, 4 * GB);
        MadeUpJob less = job(1_000_000)
                .profile("sort", 9, 0, 4 * GB)
                .profile("in", 9, 0, 3 * GB)
                .profile("other", 9, 0, 2 * GB);

        assertThat(found(half)).hasSize(1);
        assertThat(found(less)).isEmpty();
    }

    @Test
    void shouldNotFindObjectsWhereThreadsHaveTime() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(1_000_000, 0.9, 0, 0)
                .profile("in", 9, 0, 8 * GB);

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldNotPredictMoreThanFiveTimes_becauseResultsAreMadeInAnyCase() {
        assertThat(found(allocating(30)).get(0).predictedGain()).isEqualTo(Gain.throughput(5));
    }

    @Test
    void shouldSayNothingOfObjectsIfNobodySampled() {
        assertThat(found(job(1_000_000))).isEmpty();
    }

    @Test
    void shouldFindCollectionsOfWhichATenthWouldBeGained_whateverIsAllocated() {
        MadeUpJob job = job(1_000_000);
        job.gcMs = 91;

        assertThat(found(job)).singleElement().satisfies(finding -> {
            assertThat(finding.operator()).isNull();
            assertThat(finding.why()).isEqualTo("collections stop all tasks");
            assertThat(figure(finding, "of the time in collections")).isEqualTo(9);
        });
        job.gcMs = 90;
        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldLookAtObjectsWhileCollectionsTakeLess() {
        MadeUpJob job = allocating(6.2);
        job.gcMs = 90;

        assertThat(found(job))
                .singleElement()
                .extracting(Finding::why)
                .asString()
                .contains("at once");
    }

    @Test
    void shouldNameTheOperatorThatAllocatesMost_andPredictTheTimeOfCollections() {
        MadeUpJob job = job(1_000_000).profile("in", 9, 0, 100).profile("sort", 9, 0, 300);
        job.gcMs = 500;

        Finding finding = found(job).get(0);

        assertThat(finding.operator()).isEqualTo("sort");
        assertThat(figure(finding, "of what is allocated, by 'sort'")).isEqualTo(75);
        assertThat(finding.remedy()).contains("make fewer objects in 'sort'");
        assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(2));
    }

    @Test
    void shouldNotPredictMoreThanTenTimesFromCollections() {
        MadeUpJob job = job(1_000_000);
        job.gcMs = 990;

        assertThat(found(job).get(0).predictedGain()).isEqualTo(Gain.throughput(10));
    }

    @Test
    void shouldAdviseALargerHeapIfLittleIsFreeAfterCollections() {
        MadeUpJob job = job(1_000_000);
        job.gcMs = 100;
        job.heapUsedBytes = second -> second == 3 ? 701_000_000 : 990_000_000;
        assertThat(found(job).get(0).option()).isEqualTo("THALWEG_OPTS=-Xmx2g");

        job.heapUsedBytes = second -> second == 3 ? 700_000_000 : 990_000_000;
        assertThat(found(job).get(0).option()).isNull();
    }

    @Test
    void shouldAdviseALargerHeapIfThatOfAnyProcessIsFull() {
        MadeUpJob job = job(1_000_000);
        job.gcMs = 200;
        job.others.add(new ProcessSpan("q", 2, 0, 10, 1_600_000_000, 2_000_000_000L, 0, 0, null, null));

        assertThat(found(job)).singleElement().satisfies(finding -> {
            assertThat(finding.option()).isEqualTo("THALWEG_OPTS=-Xmx4g");
            assertThat(figure(finding, "heap in use of q")).isEqualTo(1_600);
            assertThat(figure(finding, "heap at most of q")).isEqualTo(2_000);
        });
    }

    @Test
    void shouldNotTakeWhatOthersDoForCollections() {
        MadeUpJob job = job(1_000_000); // could use 1.8 cores
        job.gcMs = 100;
        job.usedCores = 0.9;
        job.machineLoad = 1.0;
        assertThat(found(job)).isEmpty();

        job.machineLoad = 0.8;
        assertThat(found(job)).hasSize(1);
    }
}
