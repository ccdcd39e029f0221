// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.KafkaFetches;
import io.thalweg.doctor.observation.OperatorProfile;
import java.util.ArrayList;
import java.util.List;

/** A source waits for messages of Kafka that are there: its settings let a request bring few of them, or let it wait; or a quota does. */
final class KafkaFetchesRule implements Rule {
    /** Kafka's own {@code max.partition.fetch.bytes}. */
    private static final double DEFAULT_BYTES = 1 << 20;

    /** A quarter of it: a broker needs about a millisecond for a request, so one after the other brings 256 MB a second. */
    private static final double FEW_BYTES = DEFAULT_BYTES / 4;

    /** Kafka's own {@code max.poll.records} is 500. */
    private static final long FEW_RECORDS = 100;

    /**
     * To ask the consumer and hand a batch over takes as long as so many records of it: 17 where each record of 120 bytes came by itself, on
     * two cores that others used, too.
     */
    private static final double POLL_RECORDS = 17;

    /** Of a limit. A broker adds whole batches until it is reached, so a request may also bring more. */
    private static final double REACHED = 0.5;

    /** Of the longest time that a broker lets a request wait. */
    private static final double TIMED_OUT = 0.9;

    /** How long a broker needs to answer a request that need not wait, at least and at most: 6 ms for a megabyte, on two cores. */
    private static final double LEAST_MS = 1;

    private static final double MOST_MS = 10;

    /** Brokers tell a client without a quota 0. */
    static final double THROTTLED_MS = 1;

    /** Of a larger request; a factor of 3 was measured where one brought 16 KiB. */
    private static final double LARGER = 10;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        facts.chains().forEach(chain -> found.addAll(of(facts, chain)));
        return found;
    }

    /** What is found of a chain whose source waits beside a backlog. */
    static List<Finding> of(Facts facts, ChainFacts chain) {
        OperatorProfile profile = facts.profile(chain.head());
        KafkaFetches fetches = profile == null ? null : profile.fetches();
        return fetches == null || fetches.fetches() == 0 || !facts.waitsBesideBacklog(chain)
                ? List.of()
                : of(facts, chain, fetches);
    }

    private static List<Finding> of(Facts facts, ChainFacts chain, KafkaFetches fetches) {
        String source = chain.head();
        double bytes = (double) fetches.bytes() / fetches.fetches();
        double records = (double) fetches.records() / Math.max(1, fetches.polls());
        long limit = Math.min(fetches.maxBytes(), fetches.maxPartitionBytes());
        if (fetches.throttleMs() >= THROTTLED_MS) {
            return List.of(evidence("quota", facts, chain, fetches)
                    .figure("a quota holds each back for", fetches.throttleMs(), "ms")
                    .why("the brokers hold the consumers of '" + source + "' back, because of a quota")
                    .remedy("have the quota consumer_byte_rate raised, or have the messages written with compression:"
                            + " bytes count as they are sent")
                    .made(waiting(facts, chain), null, "without the quota the job is as fast"));
        }
        if (fetches.minBytes() > 1
                && bytes < fetches.minBytes()
                && fetches.latencyMs() >= TIMED_OUT * fetches.maxWaitMs()) {
            return evidence("small-fetches", facts, chain, fetches)
                    .figure("fetch.min.bytes", fetches.minBytes(), "")
                    .figure("fetch.max.wait.ms", fetches.maxWaitMs(), "")
                    .why("brokers let each request of '" + source + "' wait for as long as they may, although there is"
                            + " more to read: it is never allowed to bring as much as it is to wait for")
                    .remedy("leave fetch.min.bytes out of the settings of '" + source + "', or set it below "
                            + Math.round(bytes) + ", which is what a request brings")
                    .throughput(
                            Math.min(fetches.latencyMs() / MOST_MS, room(facts)),
                            Math.min(fetches.latencyMs() / LEAST_MS, room(facts)),
                            "with fetch.min.bytes=1 a request takes as long");
        }
        if (limit < FEW_BYTES && bytes < FEW_BYTES && bytes >= REACHED * limit) {
            boolean whole = fetches.maxBytes() <= fetches.maxPartitionBytes();
            String setting = whole ? "fetch.max.bytes" : "max.partition.fetch.bytes";
            double most = Math.min(LARGER, Math.min(room(facts), DEFAULT_BYTES / bytes));
            return evidence("small-fetches", facts, chain, fetches)
                    .figure(setting, limit, "")
                    .why("each request of '" + source
                            + "' brings little, for that is all it may bring, and the next one"
                            + " takes its time again")
                    .remedy("leave " + setting + " out of the settings of '" + source + "'"
                            + (whole ? ", and its .readAhead(…)" : "") + ", or set it to 1 MiB or more")
                    .throughput(
                            Math.min(2, most),
                            most,
                            "without " + setting + " requests bring no more, or it is as fast");
        }
        if (fetches.maxPollRecords() < FEW_RECORDS && records >= REACHED * fetches.maxPollRecords()) {
            double saved = POLL_RECORDS / records;
            return evidence("small-fetches", facts, chain, fetches)
                    .figure("records that the consumer hands out at a time", records, "")
                    .figure("max.poll.records", fetches.maxPollRecords(), "")
                    .why("the consumer of '" + source + "' hands out few records at a time, although it has more of"
                            + " them, and its thread does little else than to ask it")
                    .remedy("leave max.poll.records out of the settings of '" + source + "'")
                    .throughput(1 + saved / 2, 1 + saved, "without max.poll.records the job is as fast");
        }
        return List.of();
    }

    private static Findings evidence(String rule, Facts facts, ChainFacts chain, KafkaFetches fetches) {
        double seconds = fetches.observedNs() / 1e9 / fetches.consumers();
        return Findings.of(rule)
                .operator(chain.head())
                .share("of their time without a record", waiting(facts, chain))
                .figure("unread on average", Math.round(facts.unread(chain)), "")
                .figure("requests", fetches.fetches() / seconds, "/s")
                .figure("of each", fetches.latencyMs(), "ms")
                .figure("each brings", (double) fetches.records() / fetches.fetches(), "records")
                .figure("that are", (double) fetches.bytes() / fetches.fetches() / 1024, "KiB");
    }

    private static double waiting(Facts facts, ChainFacts chain) {
        return Facts.reading(chain).stream()
                .mapToDouble(task -> (double) task.waitingNs() / facts.lengthNs())
                .average()
                .orElse(0);
    }

    /** How much faster the job could be until a task of it is busy all the time. Cores are no limit: few requests need less of them. */
    private static double room(Facts facts) {
        double busy = facts.chains().stream()
                .mapToDouble(chain -> chain.busy(chain.busiest()))
                .max()
                .orElse(0);
        return 1 / Math.max(0.001, busy);
    }
}
