// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.workloads.telecom.FlatProbe;

/** The sums of the measures of probes that are read as all engines read them. */
record TextSums() implements Aggregate<FlatProbe, TextSums.Sums, TextSums.Sums> {
    /** Of whole measures, and of the others. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Sums(long[] whole, double[] fractions) {
        private void add(long[] moreWhole, double[] moreFractions) {
            for (int i = 0; i < whole.length; i++) {
                whole[i] += moreWhole[i];
            }
            for (int i = 0; i < fractions.length; i++) {
                fractions[i] += moreFractions[i];
            }
        }
    }

    @Override
    public Sums create() {
        return new Sums(new long[FlatProbe.WHOLE], new double[FlatProbe.FRACTIONAL]);
    }

    @Override
    public void add(Sums sums, FlatProbe probe) {
        sums.add(probe.whole(), probe.fractions());
    }

    @Override
    public void merge(Sums sums, Sums other) {
        sums.add(other.whole, other.fractions);
    }

    @Override
    public Sums result(Sums sums) {
        return new Sums(sums.whole.clone(), sums.fractions.clone());
    }

    @Override
    public Type<Sums> accumulatorType() {
        return Type.of(Sums.class);
    }

    @Override
    public Type<Sums> resultType() {
        return Type.of(Sums.class);
    }
}
