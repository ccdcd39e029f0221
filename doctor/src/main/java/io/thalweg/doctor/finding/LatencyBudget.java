// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

import java.util.List;

/**
 * What the latency of records consists of, on the way from a source to a sink. The parts are computed from other figures than the
 * latency, so they need not add up to it: the rest says by how much they do not.
 *
 * @param measuredUs age of records when a sink had processed them, in microseconds
 * @param measured what it is: {@code mean} of the steady part, or {@code median} of all that was observed
 * @param parts in the order of the way
 * @param sumUs of the parts that are known
 * @param restUs what was measured and is in no part; less than 0 if the parts are more than was measured
 * @param rest what the rest is, as far as that is known, in one line
 * @param beyond how long records wait before they are read and until they are committed, which is not part of what was measured
 */
public record LatencyBudget(
        double measuredUs,
        String measured,
        List<LatencyPart> parts,
        double sumUs,
        double restUs,
        String rest,
        List<LatencyPart> beyond) {
    public LatencyBudget {
        parts = List.copyOf(parts);
        beyond = List.copyOf(beyond);
    }
}
