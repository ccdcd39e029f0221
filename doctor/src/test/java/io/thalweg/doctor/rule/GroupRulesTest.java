// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.ConsumerGroup;
import io.thalweg.doctor.observation.GroupLook;
import io.thalweg.doctor.observation.GroupMember;
import io.thalweg.doctor.observation.GroupPartition;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.whatif.Changes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GroupRulesTest {
    private static final int SECONDS = 30;
    private static final int COMMIT_SECONDS = 5;

    private String state = "Stable";
    private final List<GroupMember> members = new ArrayList<>();
    private final List<GroupPartition> partitions = new ArrayList<>();
    private int changes;

    private void member(String name, int reads) {
        members.add(new GroupMember(name + "-id", name, "/10.0.0.1", reads));
    }

    /** Committed and end offsets, at the first and at the last look. */
    private void partition(int number, String member, long committed, long committedThen, long end, long endThen) {
        partitions.add(new GroupPartition(
                "orders", number, member == null ? null : member + "-id", committed, committedThen, 0, end, endThen));
    }

    /** A group that commits every five seconds; written and read at steady rates. */
    private ConsumerGroup group() {
        long lagBefore = partitions.stream()
                .mapToLong(each -> each.endBefore() - before(each))
                .sum();
        long produced = partitions.stream()
                .mapToLong(each -> each.end() - each.endBefore())
                .sum();
        long consumed = partitions.stream()
                .mapToLong(each -> (each.committed() == null ? 0 : each.committed()) - before(each))
                .sum();
        List<GroupLook> looks = new ArrayList<>();
        for (int second = 0; second <= SECONDS; second++) {
            long written = produced * second / SECONDS;
            long read = consumed * (second - second % COMMIT_SECONDS) / SECONDS;
            looks.add(new GroupLook(
                    second * 1_000_000_000L, state, members.size(), lagBefore + written - read, written, read));
        }
        return new ConsumerGroup("billing", state, "range", members, partitions, looks, changes);
    }

    private static long before(GroupPartition partition) {
        Long committed = partition.committedBefore();
        return committed == null ? 0 : committed;
    }

    private Diagnosis diagnosis() {
        return Doctor.diagnose(Observation.of(group()));
    }

    private List<String> rules() {
        return diagnosis().findings().stream().map(Finding::rule).toList();
    }

    @Test
    void shouldGiveNoAdviceToAGroupThatKeepsUpBetweenCommits() {
        member("a", 2);
        partition(0, "a", 0, 3_000, 20, 3_020);
        partition(1, "a", 0, 3_000, 20, 3_020);

        assertThat(rules()).isEmpty();
        assertThat(diagnosis().bound().text()).isEqualTo("what is written: it keeps up");
    }

    @Test
    void shouldFindThatLagGrowsAndWhatItTakes() {
        member("a", 4);
        for (int number = 0; number < 4; number++) {
            partition(number, "a", 0, 3_000, 0, 6_000);
        }

        Finding finding = diagnosis().findings().get(0);

        assertThat(finding.rule()).isEqualTo("growing-lag");
        assertThat(finding.why()).contains("2.00 times as fast");
        assertThat(finding.remedy()).isEqualTo("add members: up to 4 can read, and 1 does");
        assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(2)); // four members would do more than is written
        assertThat(diagnosis().bound().text()).contains("lag grows by 400 records a second");
    }

    @Test
    void shouldNotAdviseMembersThatWouldHaveNothingToRead() {
        member("a", 1);
        partition(0, "a", 0, 3_000, 0, 6_000);

        Finding finding = diagnosis().findings().get(0);

        assertThat(finding.rule()).isEqualTo("growing-lag");
        assertThat(finding.remedy()).contains("more partitions");
        assertThat(finding.predictedGain()).isNull();
    }

    @Test
    void shouldSayWhenLagIsGone() {
        member("a", 1);
        partition(0, "a", 0, 6_000, 10_000, 13_000);

        assertThat(rules()).isEmpty();
        assertThat(diagnosis().bound().text()).contains("lag falls by 100 records a second, and is gone in 70 s");
    }

    @Test
    void shouldNotSayThatAGroupKeepsUpThatCommittedOnce() {
        ConsumerGroup once = new ConsumerGroup(
                "billing",
                "Empty",
                null,
                List.of(),
                List.of(new GroupPartition("orders", 0, null, 0L, 100L, 0, 1_000, 3_000)),
                List.of(
                        new GroupLook(0, "Empty", 0, 1_000, 0, 0),
                        new GroupLook(5_000_000_000L, "Empty", 0, 1_900, 1_000, 100),
                        new GroupLook(10_000_000_000L, "Empty", 0, 2_900, 2_000, 100)),
                0);

        Diagnosis diagnosis = Doctor.diagnose(Observation.of(once));

        assertThat(diagnosis.findings()).isEmpty();
        assertThat(diagnosis.bound().text()).startsWith("what is not known yet: it committed once in 10 s");
    }

    @Test
    void shouldFindAGroupWithoutMembers() {
        state = "Empty";
        partition(0, null, 0, 0, 50, 50);

        assertThat(rules()).containsExactly("no-members");
        assertThat(diagnosis().bound().text()).contains("no members (empty)");
    }

    @Test
    void shouldLeaveReadersAloneThatAreNoMembers() {
        state = "Empty";
        partition(0, null, 0, 3_000, 10, 3_010);

        assertThat(rules()).isEmpty();
        assertThat(diagnosis().bound().text()).contains("without being members");
    }

    @Test
    void shouldLeaveAnEmptyGroupAloneThatNobodyMisses() {
        state = "Empty";
        partition(0, null, 50, 50, 50, 50);

        assertThat(rules()).isEmpty();
    }

    @Test
    void shouldFindMembersThatCommitNothing() {
        member("a", 1);
        partition(0, "a", 10, 10, 500, 500);

        assertThat(rules()).containsExactly("no-commits");
    }

    @Test
    void shouldNotSayThatAGroupKeepsUpThatStoppedCommitting() {
        member("a", 1);
        partition(0, "a", 0, 200, 0, 1_500);
        List<GroupLook> looks = new ArrayList<>();
        for (int second = 0; second <= SECONDS; second++) {
            long read = Math.min(200, second / COMMIT_SECONDS * 100);
            looks.add(new GroupLook(second * 1_000_000_000L, state, 1, 50L * second - read, 50L * second, read));
        }
        ConsumerGroup stopped = new ConsumerGroup("billing", state, "range", members, partitions, looks, 0);

        Diagnosis diagnosis = Doctor.diagnose(Observation.of(stopped));

        assertThat(diagnosis.findings().get(0).rule()).isEqualTo("no-commits");
        assertThat(diagnosis.findings().get(0).why()).endsWith("committed nothing in the last 20 s");
        assertThat(diagnosis.bound().text()).isEqualTo("its members: nothing was committed in the last 20 s (stable)");
    }

    @Test
    void shouldCompareSlowCommitsWithWhatWasWrittenMeanwhile() {
        member("a", 1);
        partition(0, "a", 0, 3, 0, 600);
        partition(1, null, 0, 0, 0, 0);

        Finding finding = diagnosis().findings().stream()
                .filter(each -> each.rule().equals("growing-lag"))
                .findFirst()
                .orElseThrow();

        assertThat(finding.why()).endsWith("200.00 times as fast to keep up"); // of 0.1 records a second
        assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(2));
    }

    @Test
    void shouldFindOneOfThreePartitionsThatIsBehindByItself() {
        member("a", 3);
        partition(0, "a", 0, 300, 0, 1_800);
        partition(1, "a", 0, 300, 0, 310);
        partition(2, "a", 0, 300, 0, 310);

        assertThat(rules()).contains("skewed-partitions");
    }

    @Test
    void shouldFindPartitionsThatNobodyReadsAndMembersThatReadNothing() {
        member("a", 1);
        member("b", 0);
        partition(0, "a", 0, 300, 0, 300);
        partition(1, null, 0, 0, 0, 0);

        assertThat(rules()).containsExactly("unread-partitions", "idle-members");
        assertThat(diagnosis().findings().get(0).why()).contains("orders-1");
        assertThat(diagnosis().findings().get(1).why()).contains("b at /10.0.0.1 only waits");
    }

    @Test
    void shouldNotJudgeWhoReadsWhatDuringARebalance() {
        state = "PreparingRebalance";
        member("a", 0);
        partition(0, null, 0, 300, 0, 300);

        assertThat(rules()).isEmpty();
    }

    @Test
    void shouldTellAHotPartitionFromASlowReader() {
        member("a", 4);
        partition(0, "a", 0, 1_000, 0, 6_000);
        for (int number = 1; number < 4; number++) {
            partition(number, "a", 0, 1_000, 0, 1_000);
        }
        assertThat(diagnosis().findings())
                .filteredOn(finding -> finding.rule().equals("skewed-partitions"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.why()).startsWith("more is written to orders-0"));

        partitions.clear();
        partition(0, "a", 0, 100, 0, 1_000);
        for (int number = 1; number < 4; number++) {
            partition(number, "a", 0, 1_000, 0, 1_000);
        }
        assertThat(diagnosis().findings())
                .filteredOn(finding -> finding.rule().equals("skewed-partitions"))
                .singleElement()
                .satisfies(
                        finding -> assertThat(finding.why()).startsWith("reading is slower in orders-0, which a at"));
    }

    /** More members, or more partitions, do not help it. */
    @Test
    void shouldNameTheOnePartitionFirst_whereLagGrowsInNoOther() {
        member("a", 4);
        partition(0, "a", 0, 1_500, 0, 2_700);
        for (int number = 1; number < 4; number++) {
            partition(number, "a", 0, 100, 0, 100);
        }
        assertThat(rules()).containsExactly("skewed-partitions", "growing-lag");

        partitions.clear();
        partition(0, "a", 0, 1_500, 0, 2_700);
        for (int number = 1; number < 4; number++) {
            partition(number, "a", 0, 1_500, 0, 1_900);
        }
        assertThat(rules()).containsExactly("growing-lag");

        partitions.clear(); // hardly more is written to it than to the other
        partition(0, "a", 0, 750, 0, 1_800);
        partition(1, "a", 0, 1_200, 0, 1_200);
        assertThat(rules()).containsExactly("growing-lag", "skewed-partitions");
    }

    @Test
    void shouldFindRecordsThatWereDeletedUnread() {
        member("a", 1);
        partitions.add(new GroupPartition("orders", 0, "a-id", 100L, 100L, 5_000, 9_000, 9_000));

        assertThat(rules().get(0)).isEqualTo("lost-records");
        assertThat(partitions.get(0).lag()).isEqualTo(4_000);
    }

    @Test
    void shouldFindMembersThatComeAndGo() {
        member("a", 1);
        partition(0, "a", 0, 300, 0, 300);
        changes = 5;

        assertThat(rules()).containsExactly("rebalances");
    }

    @Test
    void shouldBeReadBackAndJudgedTheSame() throws Exception {
        member("a", 1);
        partition(0, "a", 0, 3_000, 0, 6_000);
        Diagnosis diagnosis = diagnosis();

        Observation read = ObservationFile.read(RecordJson.text(diagnosis).getBytes(StandardCharsets.UTF_8));

        assertThat(Doctor.diagnose(read)).isEqualTo(diagnosis);
        assertThat(DiagnosisText.of(diagnosis)).startsWith("Doctor: billing\n  bound by its members");
        assertThatThrownBy(() -> Doctor.diagnose(read, Changes.parse("threads=2")))
                .hasMessage("--what-if is for jobs, and billing is a consumer group");
    }
}
