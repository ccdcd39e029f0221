// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Bound;
import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.ConsumerGroup;
import io.thalweg.doctor.observation.GroupMember;
import io.thalweg.doctor.observation.GroupPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What holds a consumer group back. */
public final class GroupRules {
    private static final String STABLE = "Stable";

    /** Of what is written: a group that gains less than this on its lag, or loses less, keeps up. */
    private static final double NOTABLE_GROWTH = 0.1;

    /** Fewer records are what is on its way between two commits. */
    private static final long MIN_RECORDS = 100;

    /** Three times Kafka's interval of automatic commits, auto.commit.interval.ms. */
    private static final double LONGEST_WITHOUT_COMMIT = 15;

    /** A partition with so many times the mean lag is behind by itself. */
    private static final double SKEWED = 3;

    /** Of the lag: one of two or three partitions that has so much is behind by itself, too. */
    private static final double NEARLY_ALL = 0.9;

    /** Of the records that are written, times the share that a partition would have if all had as many. */
    private static final double HOT = 1.5;

    private static final double SKEW = 0.6;

    /** Of two findings the one that is the cause of the other is the worse one. */
    private static final double BEFORE = 0.01;

    /** Rebalances while it was watched: one is a deployment. */
    private static final int MOST_CHANGES = 1;

    private static final int MOST_NAMED = 5;

    private GroupRules() {}

    /** What limits it, whether anything is wrong or not. */
    public static Bound bound(ConsumerGroup group) {
        GroupFacts facts = new GroupFacts(group);
        List<Figure> evidence = List.of(
                new Figure("lag", facts.lag(), "records"),
                new Figure("written", round(facts.producedPerSecond()), "/s"),
                new Figure("committed", round(facts.consumedPerSecond()), "/s"),
                new Figure("members", group.members().size(), ""),
                new Figure("partitions", group.partitions().size(), ""),
                new Figure("watched", round(facts.seconds()), "s"));
        return new Bound("group", null, text(facts), evidence);
    }

    private static String text(GroupFacts facts) {
        String state = " (" + facts.group().state().toLowerCase(Locale.ROOT) + ")";
        if (facts.group().members().isEmpty() && !facts.commits()) {
            return "nothing that runs: the group has no members" + state + ", and nobody commits for it";
        }
        String how = facts.group().members().isEmpty() ? "; its readers commit without being members" : "";
        if (isStuck(facts)) {
            return "its members: nothing was committed in the last " + time(facts.secondsSinceCommit()) + state + how;
        }
        if (isGrowing(facts)) {
            return "its members: lag grows by " + rate(facts.growthPerSecond()) + how;
        }
        if (facts.hasTrend() && -facts.growth() >= MIN_RECORDS) {
            return "its members: lag falls by " + rate(-facts.growthPerSecond()) + ", and is gone in "
                    + time(facts.lag() / -facts.growthPerSecond()) + how;
        }
        if (!facts.commits() && facts.lag() > 0) {
            return "its members: nothing was committed in " + time(facts.seconds()) + state;
        }
        if (facts.commits() && !facts.hasTrend() && facts.lag() >= MIN_RECORDS) {
            return "what is not known yet: it committed once in " + time(facts.seconds())
                    + ", and two commits make a trend; watch it for longer, with --for" + how;
        }
        return "what is written: it keeps up" + how;
    }

    /** What is wrong, the worst first. */
    public static List<Finding> findings(ConsumerGroup group) {
        GroupFacts facts = new GroupFacts(group);
        List<Finding> found = new ArrayList<>();
        lost(facts, found);
        withoutMembers(facts, found);
        stuck(facts, found);
        withoutReader(facts, found);
        growing(facts, found);
        skewed(facts, found);
        changing(facts, found);
        idle(facts, found);
        found.sort(Comparator.comparingDouble(Finding::severity).reversed());
        return found;
    }

    private static boolean isGrowing(GroupFacts facts) {
        return facts.growth() >= MIN_RECORDS && facts.growth() >= NOTABLE_GROWTH * facts.producedBetween();
    }

    private static boolean isStuck(GroupFacts facts) {
        return facts.lag() > 0 && facts.secondsSinceCommit() >= LONGEST_WITHOUT_COMMIT;
    }

    private static void lost(GroupFacts facts, List<Finding> found) {
        List<GroupPartition> behind = new ArrayList<>();
        long lost = 0;
        for (GroupPartition each : facts.group().partitions()) {
            Long committed = each.committed();
            if (committed != null && committed < each.begin()) {
                behind.add(each);
                lost += each.begin() - committed;
            }
        }
        if (lost > 0) {
            found.add(Findings.of("lost-records")
                    .operator(behind.get(0).name())
                    .figure("records deleted before they were read", lost, "")
                    .figure("in partitions", behind.size(), "")
                    .why("the topic's retention has deleted records that the group has not read: " + names(behind))
                    .remedy(
                            "keep records for longer (retention.ms, retention.bytes), and find out why the group is so far behind;"
                                    + " where it goes on is what auto.offset.reset says")
                    .made(0.97, null, "a member says that it has read these offsets, and did not commit them"));
        }
    }

    private static void withoutMembers(GroupFacts facts, List<Finding> found) {
        if (facts.group().members().isEmpty()
                && !facts.commits()
                && (facts.lag() > 0 || facts.last().produced() > 0)) {
            found.add(
                    Findings.of("no-members")
                            .figure("members", 0, "")
                            .figure("lag", facts.lag(), "records")
                            .figure("written", facts.producedPerSecond(), "/s")
                            .why("nobody reads: the group's state is "
                                    + facts.group().state())
                            .remedy(
                                    "start its consumers, or find out why they ended; delete the group if nobody needs it any more")
                            .made(
                                    0.95,
                                    null,
                                    "a consumer that assigns partitions itself, without being a member, commits for the group"));
        }
    }

    private static void stuck(GroupFacts facts, List<Finding> found) {
        if (!facts.group().members().isEmpty() && isStuck(facts)) {
            found.add(Findings.of("no-commits")
                    .figure("lag", facts.lag(), "records")
                    .figure("members", facts.group().members().size(), "")
                    .figure("without a commit", facts.secondsSinceCommit(), "s")
                    .figure("watched", facts.seconds(), "s")
                    .why("members read, or say so, and have committed nothing in the last "
                            + time(facts.secondsSinceCommit()))
                    .remedy(
                            "look at what they do with a record: a call may not return, or a record fails again and again;"
                                    + " a job that commits at checkpoints may take them less often than that")
                    .made(0.9, null, "offsets move when it is watched for longer"));
        }
    }

    private static void withoutReader(GroupFacts facts, List<Finding> found) {
        List<GroupPartition> unread =
                facts.read().stream().filter(each -> each.member() == null).toList();
        if (!unread.isEmpty() && facts.group().state().equals(STABLE)) {
            found.add(Findings.of("unread-partitions")
                    .operator(unread.get(0).name())
                    .figure("partitions without a member", unread.size(), "")
                    .figure(
                            "their lag",
                            unread.stream().mapToLong(GroupPartition::lag).sum(),
                            "records")
                    .why("no member reads " + names(unread) + ", though members read other partitions of the topic")
                    .remedy(
                            "let the members subscribe to the whole topic; if it got new partitions, members find them after"
                                    + " metadata.max.age.ms")
                    .made(
                            0.85,
                            null,
                            "another group, or a consumer that assigns partitions itself, reads them on purpose"));
        }
    }

    private static void growing(GroupFacts facts, List<Finding> found) {
        if (!isGrowing(facts)) {
            return;
        }
        int members = (int) facts.group().members().stream()
                .filter(member -> member.partitions() > 0)
                .count();
        int partitions = facts.read().size();
        long consumed = facts.consumedBetween();
        double needed = consumed > 0 ? (double) facts.producedBetween() / consumed : 0; // 0: offsets were set back
        boolean more = members > 0 && members < partitions;
        double gain = more ? Math.min((double) partitions / members, needed) : 0;
        found.add(Findings.of("growing-lag")
                .figure("lag", facts.lag(), "records")
                .figure("grows by", facts.growthPerSecond(), "/s")
                .figure("written", facts.producedPerSecond(), "/s")
                .figure("committed", facts.consumedPerSecond(), "/s")
                .figure("members that read", members, "")
                .figure("partitions", partitions, "")
                .why("more is written than the members read"
                        + (needed > 1
                                ? String.format(
                                        Locale.ROOT, ": they would have to be %.2f times as fast to keep up", needed)
                                : ""))
                .remedy(
                        more
                                ? "add members: up to " + partitions + " can read, and " + members
                                        + (members == 1 ? " does" : " do")
                                : "each partition has a member already: make what they do with a record faster (thalweg doctor JOB"
                                        + " says where its time goes), or give the topic more partitions")
                .made(
                        severityOfGrowth(facts),
                        gain > 1 ? Gain.throughput(gain) : null,
                        "lag falls when it is watched for longer"));
    }

    private static double severityOfGrowth(GroupFacts facts) {
        return Math.min(0.9, 0.5 + facts.growth() / (2.0 * Math.max(1, facts.producedBetween())));
    }

    private static void skewed(GroupFacts facts, List<Finding> found) {
        GroupPartition most = facts.furthestBehind();
        int partitions = facts.group().partitions().size();
        if (most == null
                || partitions < 2
                || most.lag() < MIN_RECORDS
                || facts.group().members().isEmpty()) {
            return;
        }
        double mean = (double) facts.lag() / partitions;
        if (most.lag() < Math.min(NEARLY_ALL * facts.lag(), SKEWED * mean)) {
            return;
        }
        double share = (double) (most.end() - most.endBefore())
                / Math.max(1, facts.last().produced());
        boolean hot = share * partitions >= HOT && facts.last().produced() >= MIN_RECORDS;
        boolean grownByIt = hot && isGrowing(facts) && most.lag() >= NEARLY_ALL * facts.lag();
        double severity = grownByIt ? severityOfGrowth(facts) + BEFORE : SKEW;
        GroupMember reader = facts.group().members().stream()
                .filter(member -> member.member().equals(most.member()))
                .findFirst()
                .orElse(null);
        String who = reader == null ? "" : ", which " + reader.client() + " at " + reader.host() + " reads";
        found.add(Findings.of("skewed-partitions")
                .operator(most.name())
                .figure("its lag", most.lag(), "records")
                .figure("mean lag of a partition", mean, "records")
                .share("of what is written goes to it", share)
                .why((hot ? "more is written to " : "reading is slower in ") + most.name() + who
                        + " than in the others, so adding members does not help it")
                .remedy(
                        hot
                                ? "choose a key that spreads records, or write records without a key where order does not matter"
                                : "look at that member and its machine, and at what its records have that others have not")
                .made(
                        severity,
                        null,
                        "the lag of " + most.name() + " is that of the others when it is watched for longer"));
    }

    private static void changing(GroupFacts facts, List<Finding> found) {
        if (facts.group().changes() > MOST_CHANGES) {
            found.add(Findings.of("rebalances")
                    .figure("changes of members", facts.group().changes(), "")
                    .figure("watched", facts.seconds(), "s")
                    .why(
                            "members come and go, and each time partitions are shared out again and reading may stand still")
                    .remedy("if they are not restarted on purpose: they may need longer for a poll's records than"
                            + " max.poll.interval.ms, or stop sending heartbeats within session.timeout.ms; lower max.poll.records,"
                            + " or give members a group.instance.id")
                    .made(0.7, null, "the members stay the same when nobody deploys"));
        }
    }

    private static void idle(GroupFacts facts, List<Finding> found) {
        List<GroupMember> idle = facts.group().members().stream()
                .filter(member -> member.partitions() == 0)
                .toList();
        if (idle.isEmpty() || !facts.group().state().equals(STABLE)) {
            return;
        }
        int partitions = facts.read().size();
        found.add(Findings.of("idle-members")
                .figure("members without a partition", idle.size(), "")
                .figure("of", facts.group().members().size(), "members")
                .figure("partitions", partitions, "")
                .why("there are more members than partitions to read: "
                        + idle.stream()
                                .limit(MOST_NAMED)
                                .map(member -> member.client() + " at " + member.host())
                                .collect(Collectors.joining(", "))
                        + " only wait" + (idle.size() == 1 ? "s" : "") + " to take over")
                .remedy("give the topic more partitions, or run " + Math.max(1, partitions)
                        + " members; one to spare is fine")
                .made(isGrowing(facts) ? 0.65 : 0.15, null, "the topic gets more partitions soon"));
    }

    private static String names(List<GroupPartition> partitions) {
        return partitions.stream().limit(MOST_NAMED).map(GroupPartition::name).collect(Collectors.joining(", "))
                + (partitions.size() > MOST_NAMED ? " and " + (partitions.size() - MOST_NAMED) + " more" : "");
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond) + " records a second";
    }

    private static String time(double seconds) {
        return seconds < 120
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : seconds < 7_200
                        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
                        : String.format(Locale.ROOT, "%.0f h", seconds / 3_600);
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
