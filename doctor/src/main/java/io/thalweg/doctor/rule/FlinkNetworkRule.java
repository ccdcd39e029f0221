// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.FlinkVertex;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;

/** Buffers of Flink that are sent long before they are full, or wait for long to be full, or of which there are too few. */
final class FlinkNetworkRule implements Rule {
    private static final String TIMEOUT = "execution.buffer-timeout.interval";

    /**
     * Bytes: three quarters of a buffer as Flink makes it, 32 KiB (taskmanager.memory.segment-size). Where as many as {@link #OFTEN}
     * come, no more than a tenth is not full by the default timeout.
     */
    private static final double SMALL = 24 * 1024;

    /**
     * Buffers per second along a channel, from one task to another, that are ten times as many as the default timeout of 100 ms sends
     * before they are full.
     */
    private static final double OFTEN = 100;

    /** Buffers per second into a vertex: each wakes a thread, which takes some microseconds, so that fewer take a percent or two of a core. */
    private static final double MANY = 5_000;

    /**
     * "A Deep-Dive into Flink's Network Stack" (flink.apache.org, June 2019): a job that only sends has at a timeout of 1 ms up to
     * three quarters of the throughput that it has at the default one.
     */
    private static final double MOST_GAIN = 1 / 0.75;

    /** Ten times the default timeout: nobody chose that who looks at results as they come. */
    private static final long LONG_MS = 1_000;

    /** Records in a buffer. If there are fewer, records come so seldom that no timeout matters. */
    private static final double SEVERAL = 10;

    /** Of the time. Buffers fill up before a task that is slow, whatever the timeout. */
    private static final double HELD_BACK = 0.05;

    /** Percent. Flink's manual says of RequestedMemoryUsage that throughput can suffer greatly beyond it. */
    private static final long ALL_MEMORY = 100;

    /**
     * Of the buffers of a pool. "Flink Network Stack Vol. 2: Monitoring, Metrics, and that Backpressure Thing" (flink.apache.org, July
     * 2019): the output of a sender is full while the input of no receiver is, if the network between them is what is slow.
     */
    private static final double FULL = 0.95;

    private static final double HALF_EMPTY = 0.5;

    /** Of the bytes: Flink does not count buffers of inputs from the same TaskManager. */
    private static final double MOSTLY_REMOTE = 0.5;

    private static final double LONG_WAIT = 0.4;
    private static final double TOO_FEW = 0.45;
    private static final double SLOW_NETWORK = 0.35;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        FlinkFacts.of(facts).ifPresent(of -> {
            facts.plan().operators().forEach(operator -> timeout(of, operator.name(), found));
            if (facts.waitsForHandOver()) {
                memory(of, found);
                network(of, found);
            }
        });
        return found;
    }

    private static void timeout(FlinkFacts facts, String vertex, List<Finding> found) {
        FlinkVertex of = facts.vertex(vertex);
        Long buffers = of == null ? null : of.buffersIn();
        Long bytes = of == null ? null : of.bufferBytesIn();
        double channels = channels(facts, vertex);
        if (buffers == null || bytes == null || buffers == 0 || channels == 0) {
            return;
        }
        Buffers into = new Buffers(
                buffers / facts.seconds(),
                (double) bytes / buffers,
                buffers / facts.seconds() / channels,
                facts.recordsIn(vertex) / buffers);
        if (isShort(facts, vertex, into)) {
            found.add(tooShort(vertex, into));
        } else if (isLong(facts, vertex, into)) {
            found.add(tooLong(facts, vertex, into));
        }
    }

    /**
     * What comes to a vertex.
     *
     * @param rate buffers per second
     * @param bytes in a buffer
     * @param ofChannel buffers per second from one task to one other
     * @param records in a buffer
     */
    private record Buffers(double rate, double bytes, double ofChannel, double records) {}

    private static double channels(FlinkFacts facts, String vertex) {
        return facts.into(vertex).stream()
                .mapToDouble(edge ->
                        edge.grouping().equals("forward") ? edge.tasksTo() : (double) edge.tasksFrom() * edge.tasksTo())
                .sum();
    }

    private static boolean isShort(FlinkFacts facts, String vertex, Buffers into) {
        return !Boolean.TRUE.equals(facts.flink().bufferDebloat())
                && into.bytes() < SMALL
                && into.ofChannel() >= OFTEN
                && into.rate() >= MANY
                && senders(facts, vertex).stream().anyMatch(facts::limits);
    }

    private static Finding tooShort(String vertex, Buffers into) {
        return Findings.of("buffer-timeout")
                .operator(vertex)
                .figure("buffers that come", into.rate(), "/s")
                .figure("bytes in a buffer", into.bytes(), "of 32,768 by default")
                .figure("from one task to one other", into.ofChannel(), "/s")
                .why("buffers are sent to '" + vertex
                        + "' before they are full, because the buffer timeout is short or 0, and each wakes a thread")
                .remedy(
                        "take a longer timeout, here or with setBufferTimeout in the job, unless results are needed within less")
                .option(TIMEOUT + ": 100ms")
                .made(
                        1 - 1 / MOST_GAIN,
                        new Gain(1, Math.round(MOST_GAIN * 100) / 100.0, Gain.THROUGHPUT),
                        "the job is as fast with the default of 100 ms");
    }

    private static boolean isLong(FlinkFacts facts, String vertex, Buffers into) {
        Long timeout = facts.flink().bufferTimeoutMs();
        return timeout != null
                && (timeout < 0 || timeout >= LONG_MS)
                && 1_000 / into.ofChannel() >= LONG_MS
                && into.records() >= SEVERAL
                && !facts.facts().isAnySaturated()
                && senders(facts, vertex).stream()
                        .flatMap(chain -> chain.tasks().stream())
                        .noneMatch(task ->
                                task.heldBackNs() > HELD_BACK * facts.facts().lengthNs());
    }

    private static Finding tooLong(FlinkFacts facts, String vertex, Buffers into) {
        Long timeout = facts.flink().bufferTimeoutMs();
        Findings finding = Findings.of("buffer-timeout").operator(vertex);
        if (timeout != null && timeout >= 0) {
            finding.figure("buffer timeout", timeout, "ms");
        }
        return finding.figure("from one buffer to the next", 1_000 / into.ofChannel(), "ms")
                .figure("records in a buffer", into.records(), "")
                .why("records for '" + vertex + "' wait until their buffer is "
                        + (timeout != null && timeout < 0
                                ? "full, for there is no buffer timeout"
                                : "full or times out"))
                .remedy("take a shorter timeout, if somebody waits for the results")
                .option(TIMEOUT + ": 100ms")
                .made(LONG_WAIT, null, "nobody waits for the results; or the job sets a shorter timeout in its code");
    }

    private static List<ChainFacts> senders(FlinkFacts facts, String vertex) {
        List<String> names =
                facts.into(vertex).stream().map(PlanInfo.Edge::from).toList();
        return facts.facts().chains().stream()
                .filter(chain -> names.contains(chain.head()))
                .toList();
    }

    private static void memory(FlinkFacts facts, List<Finding> found) {
        Long requested = facts.flink().networkRequested();
        if (requested != null && requested > ALL_MEMORY) {
            Findings finding = Findings.of("network-buffers")
                    .figure("network memory that tasks ask for", requested, "% of what there is");
            addHeldBack(facts, finding);
            found.add(finding.why(
                            "tasks wait for buffers, and not for each other: all of them together ask for more than their TaskManager has")
                    .remedy(
                            "give TaskManagers more network memory (taskmanager.memory.network.fraction, and .max), or let tasks ask for less"
                                    + " (taskmanager.network.memory.floating-buffers-per-gate, fewer tasks)")
                    .made(TOO_FEW, null, "with more memory, tasks are held back as before"));
        }
    }

    private static void network(FlinkFacts facts, List<Finding> found) {
        for (PlanInfo.Edge edge : facts.facts().plan().edges()) {
            FlinkVertex from = facts.vertex(edge.from());
            FlinkVertex to = facts.vertex(edge.to());
            Double out = from == null ? null : from.outPool();
            Double in = to == null ? null : to.inPool();
            if (to != null && out != null && in != null && out >= FULL && in < HALF_EMPTY && isRemote(to)) {
                Findings finding = Findings.of("network-buffers")
                        .operator(edge.to())
                        .share("of the output buffers of '" + edge.from() + "' in use", out)
                        .share("of the input buffers of '" + edge.to() + "'", in);
                addHeldBack(facts, finding);
                found.add(finding.why("'" + edge.from() + "' waits for room, and '" + edge.to()
                                + "' for records: they are held up between the two")
                        .remedy(
                                "look at the network between the TaskManagers; if its delays are long, let more buffers be on the way"
                                        + " (taskmanager.network.memory.buffers-per-channel, floating-buffers-per-gate); or send fewer or"
                                        + " smaller records")
                        .made(SLOW_NETWORK, null, "with both in one TaskManager the job is as fast"));
            }
        }
    }

    private static boolean isRemote(FlinkVertex vertex) {
        Long all = vertex.bufferBytesIn();
        Long remote = vertex.remoteBytesIn();
        return all != null && remote != null && all > 0 && remote >= MOSTLY_REMOTE * all;
    }

    private static void addHeldBack(FlinkFacts facts, Findings finding) {
        finding.share(
                "of the time the source that is held back most",
                facts.facts().chains().stream()
                                .filter(facts.facts()::startsWithSource)
                                .flatMap(chain -> chain.tasks().stream())
                                .mapToLong(TaskSpan::heldBackNs)
                                .max()
                                .orElse(0)
                        / (double) facts.facts().lengthNs());
    }
}
