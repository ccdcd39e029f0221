// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static io.thalweg.api.operator.Aggregates.named;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sum of each measure over a group, as SQL has it: nulls are left out, and the sum of nothing but nulls is null. Two
 * are equal if all their numbers are; it does not matter with how many zeros a cost is written.
 */
public record TelecomSums(
        long records,
        long bytesUp,
        long bytesDown,
        long pktsUp,
        long pktsDown,
        long durationMs,
        long retrans,
        long dnsMs,
        long tcpMs,
        long drops,
        long handovers,
        long setupFail,
        double rtt,
        double jitter,
        double mos,
        long rsrp,
        long sinr,
        @Nullable Long volumeCharged,
        @Nullable BigDecimal cost,
        @Nullable Double sparse) {

    private static final int COST_SCALE = 4;

    public TelecomSums {
        cost = cost == null ? null : withFourDecimals(cost);
    }

    private static BigDecimal withFourDecimals(BigDecimal cost) {
        BigDecimal shortest = cost.stripTrailingZeros();
        return shortest.scale() < COST_SCALE ? shortest.setScale(COST_SCALE) : shortest;
    }

    /** Adds up the measures of records. */
    public static Aggregate<Probe, ?, TelecomSums> aggregate() {
        return Aggregates.into(
                TelecomSums.class,
                named("records", Aggregates.sum(probe -> probe.measures().records())),
                named("bytesUp", Aggregates.sum(probe -> probe.measures().bytesUp())),
                named("bytesDown", Aggregates.sum(probe -> probe.measures().bytesDown())),
                named("pktsUp", Aggregates.sum(probe -> probe.measures().pktsUp())),
                named("pktsDown", Aggregates.sum(probe -> probe.measures().pktsDown())),
                named("durationMs", Aggregates.sum(probe -> probe.measures().durationMs())),
                named("retrans", Aggregates.sum(probe -> probe.measures().retrans())),
                named("dnsMs", Aggregates.sum(probe -> probe.measures().dnsMs())),
                named("tcpMs", Aggregates.sum(probe -> probe.measures().tcpMs())),
                named("drops", Aggregates.sum(probe -> probe.measures().drops())),
                named("handovers", Aggregates.sum(probe -> probe.measures().handovers())),
                named("setupFail", Aggregates.sum(probe -> probe.measures().setupFail())),
                named("rtt", Aggregates.sumDouble(probe -> probe.measures().rtt())),
                named("jitter", Aggregates.sumDouble(probe -> probe.measures().jitter())),
                named("mos", Aggregates.sumDouble(probe -> probe.measures().mos())),
                named("rsrp", Aggregates.sum(probe -> probe.measures().rsrp())),
                named("sinr", Aggregates.sum(probe -> probe.measures().sinr())),
                named(
                        "volumeCharged",
                        Aggregates.sumOfLongs(probe -> probe.measures().volumeCharged())),
                named("cost", Aggregates.sumOfDecimals(probe -> probe.measures().cost())),
                named(
                        "sparse",
                        Aggregates.sumOfDoubles(probe -> probe.measures().sparse())));
    }

    /** Names of the sums, in their order: those of the measures. */
    public static List<String> names() {
        return Arrays.stream(Measure.values()).map(measure -> measure.fieldName).toList();
    }

    /** Appends the sums, a comma before each, nothing for null; equal sums give equal texts. */
    void appendTo(StringBuilder line) {
        for (Object value : values()) {
            line.append(',').append(text(value));
        }
    }

    /** The sums in the order of their names; null for those that are. */
    public List<@Nullable Object> values() {
        return Arrays.asList(
                records,
                bytesUp,
                bytesDown,
                pktsUp,
                pktsDown,
                durationMs,
                retrans,
                dnsMs,
                tcpMs,
                drops,
                handovers,
                setupFail,
                rtt,
                jitter,
                mos,
                rsrp,
                sinr,
                volumeCharged,
                cost,
                sparse);
    }

    /**
     * The sums in the order of their names, each a whole number of its unit: a cost's is its fourth decimal, that of a fraction an eighth,
     * and nulls are none of it.
     */
    public long[] units() {
        return values().stream().mapToLong(TelecomSums::units).toArray();
    }

    private static long units(@Nullable Object value) {
        if (value instanceof Double fraction) {
            return eighths(fraction);
        }
        return value instanceof BigDecimal decimal
                ? decimal.movePointRight(COST_SCALE).longValue()
                : value == null ? 0 : ((Number) value).longValue();
    }

    /** Of a sum of fractions, all of which are eighths; what is none is told from all that are. */
    static long eighths(double sum) {
        double eighths = 8 * sum;
        return eighths == Math.rint(eighths) ? (long) eighths : Long.MIN_VALUE;
    }

    /** The first sum in which another differs, as {@code bytesUp is 17, expected 18}; null if none does. */
    @Nullable String differenceFrom(TelecomSums expected) {
        if (equals(expected)) {
            return null;
        }
        List<@Nullable Object> own = values();
        List<@Nullable Object> wanted = expected.values();
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            String is = text(own.get(i));
            String should = text(wanted.get(i));
            if (!is.equals(should)) {
                differences.add(names().get(i) + " is " + shown(is) + ", expected " + shown(should));
            }
        }
        int more = differences.size() - 1;
        return differences.get(0) + (more == 0 ? "" : " (and " + more + " more of its sums)");
    }

    private static String text(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        return value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
    }

    private static String shown(String text) {
        return text.isEmpty() ? "null" : text;
    }
}
