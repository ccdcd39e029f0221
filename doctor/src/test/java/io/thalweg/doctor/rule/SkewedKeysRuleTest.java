// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.KeyShare;
import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.whatif.Changes;
import io.thalweg.doctor.whatif.WhatIfs;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SkewedKeysRuleTest {
    /** Keys with these shares that all go to the first of two tasks, also of three, and to different ones of four if there are two of them. */
    private static KeyShares onFirstOfTwo(double... shares) {
        List<KeyShare> keys = new ArrayList<>();
        int hash = 0;
        for (double share : shares) {
            KeyShare key = new KeyShare(hash, share);
            while (KeyShares.taskOf(key, 3) != 0 || KeyShares.taskOf(key, 4) != keys.size() % 2) {
                key = new KeyShare(++hash, share);
            }
            keys.add(key);
            hash++;
        }
        return new KeyShares(10_000, 1_000_000, keys);
    }

    /** Two tasks behind a source, of which the first gets most and is busy all the time. */
    private static MadeUpJob job(long first, long second) {
        MadeUpJob job = new MadeUpJob().operator("in", "source", "", false).chain(2, "in");
        job.task(500, 0.05, 0, 0.9).task(500, 0.05, 0, 0.9);
        job.grouping = "by key Long";
        job.workers = job.cores = 4;
        return job.operator("count", "process", "", true)
                .chain(2, "count")
                .task(first, first / 1_000.0, 0, 0)
                .task(second, second / 1_000.0, 0, 0);
    }

    private static Finding found(MadeUpJob job) {
        List<Finding> findings = new SkewedKeysRule().findings(job.facts());
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    private static double gain(Finding finding) {
        return Objects.requireNonNull(finding.predictedGain()).middle();
    }

    private static double figure(Finding finding, String name) {
        return finding.evidence().stream()
                .filter(figure -> figure.name().equals(name))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElse(-1);
    }

    @Test
    void shouldSayThatOneKeyIsTooHotForAnyNumberOfTasks() {
        Finding finding = found(job(900, 100).keys("in", "count", onFirstOfTwo(0.8)));

        assertThat(finding.why()).startsWith("one key of 'count'").contains("no number of tasks");
        assertThat(finding.remedy()).contains(".partialKeyBy(key)").doesNotContain(".parallelism(");
        assertThat(figure(finding, "records with the hottest key")).isEqualTo(80);
        assertThat(gain(finding)).isCloseTo(1.8, within(0.05));
    }

    @Test
    void shouldSayThatKeysFellToOneTask_andHowManyTasksTakeThemApart() {
        Finding finding = found(job(900, 100).keys("in", "count", onFirstOfTwo(0.45, 0.35)));

        assertThat(finding.why()).contains("fell to one task, and none of them is too much for one");
        assertThat(finding.remedy()).contains("give 'count' .parallelism(4)").doesNotContain("partialKeyBy");
        assertThat(figure(finding, "keys of this task with 1 % of the records or more"))
                .isEqualTo(2);
        assertThat(gain(finding)).isCloseTo(0.9 / 0.5, within(0.05));
    }

    @Test
    void shouldClaimNeitherWhereKeysWereNotLookedAt_orTooFew_orDoNotExplainIt() {
        for (MadeUpJob job : List.of(
                job(900, 100),
                job(900, 100)
                        .keys(
                                "in",
                                "count",
                                new KeyShares(399, 399, onFirstOfTwo(0.8).hottest())),
                job(900, 100).keys("in", "count", new KeyShares(10_000, 10_000, List.of())))) {
            Finding finding = found(job);

            assertThat(finding.why()).startsWith("a few keys of 'count' have most of the records");
            assertThat(figure(finding, "records with the hottest key")).isEqualTo(-1);
        }
    }

    @Test
    void shouldFindNothingWhereKeysAreEven_orMildlySkewed() {
        assertThat(new SkewedKeysRule()
                        .findings(job(520, 480)
                                .keys("in", "count", new KeyShares(10_000, 1, List.of()))
                                .facts()))
                .isEmpty();
        assertThat(new SkewedKeysRule()
                        .findings(job(550, 450)
                                .keys("in", "count", onFirstOfTwo(0.1, 0.05))
                                .facts()))
                .isEmpty();
    }

    /** One task that is busy all the time, of which the second operator takes nearly all of its time. */
    private static MadeUpJob oneTask() {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .operator("count", "process", "", true)
                .chain(1, "in", "count")
                .task(1_000, 1, 0, 0)
                .hot("in", 1, 0)
                .hot("count", 999, 0);
        job.workers = job.cores = 8;
        job.usedCores = 1;
        job.machineLoad = 1.0 / 8;
        return job;
    }

    @Test
    void shouldPromiseNoMoreOfMoreTasksThanTheHottestKeyAllows() {
        Facts even = oneTask().facts();
        Facts hot = oneTask().keys("in", "count", onFirstOfTwo(0.4)).facts();

        assertThat(new Capacity(even).gain(even.chains().get(0), 8)).isCloseTo(8, within(0.01));
        assertThat(new Capacity(hot).gain(hot.chains().get(0), 8)).isBetween(2.0, 1 / 0.4);
        assertThat(new ParallelismRule().findings(hot)).singleElement().satisfies(finding -> {
            assertThat(gain(finding)).isBetween(2.0, 1 / 0.4);
            assertThat(finding.predictedGain().high()).isEqualTo(1 / 0.4);
            assertThat(figure(finding, "records with the hottest key")).isEqualTo(40);
        });
    }

    private static double whatIf(Facts facts, String changes) {
        double rate = NetworkOf.rate(facts);
        return WhatIfs.of(NetworkOf.of(facts), rate, null, Changes.parse(changes))
                        .predictedThroughput()
                        .middle()
                / rate;
    }

    @Test
    void shouldPredictNoMoreOfMoreTasksThanTheHottestKeyAllows() {
        Facts even = oneTask().facts();
        Facts hot = oneTask().keys("in", "count", onFirstOfTwo(0.4)).facts();

        assertThat(whatIf(even, "count=8")).isGreaterThan(6);
        assertThat(whatIf(hot, "count=8")).isBetween(2.0, 1 / 0.4 + 0.01);
        assertThat(whatIf(hot, "parallelism=8")).isBetween(2.0, 1 / 0.4 + 0.01);
        assertThat(WhatIfs.of(NetworkOf.of(hot), NetworkOf.rate(hot), null, Changes.parse("count=8"))
                        .notes())
                .contains(
                        "one key of 'count' has 40 % of the records: more tasks are at most 2.50 times as fast as one");
    }

    private static double mostWhatIf(Facts facts, String changes) {
        double rate = NetworkOf.rate(facts);
        return WhatIfs.of(NetworkOf.of(facts), rate, null, Changes.parse(changes))
                        .predictedThroughput()
                        .high()
                / rate;
    }

    @Test
    void shouldGiveNoUpperLimitBeyondWhatTheHottestKeyAllows() {
        Facts even = oneTask().facts();
        Facts hot = oneTask().keys("in", "count", onFirstOfTwo(0.4)).facts();
        Facts two = job(900, 100).keys("in", "count", onFirstOfTwo(0.8)).facts();

        assertThat(mostWhatIf(even, "count=8")).isGreaterThan(8);
        assertThat(mostWhatIf(hot, "count=8")).isBetween(2.0, 1 / 0.4 + 0.01);
        assertThat(mostWhatIf(hot, "parallelism=8")).isBetween(2.0, 1 / 0.4 + 0.01);
        assertThat(mostWhatIf(two, "count=4")).isCloseTo(0.9 / 0.8, within(0.01));
    }

    @Test
    void shouldPredictThatMoreTasksTakeKeysApartThatFellTogether() {
        Facts apart =
                job(900, 100).keys("in", "count", onFirstOfTwo(0.45, 0.35)).facts();
        Facts hot = job(900, 100).keys("in", "count", onFirstOfTwo(0.8)).facts();
        Facts unknown = job(900, 100).facts();

        assertThat(whatIf(apart, "count=4")).isCloseTo(0.9 / 0.5, within(0.01));
        assertThat(whatIf(hot, "count=4")).isCloseTo(0.9 / 0.85, within(0.01));
        assertThat(whatIf(unknown, "count=4")).isCloseTo(1, within(0.01));
    }
}
