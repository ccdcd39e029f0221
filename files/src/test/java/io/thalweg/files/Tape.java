// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import java.util.ArrayList;
import java.util.List;

/** All that reading a split tells, step by step; and the contract that one may begin at any step. */
final class Tape {
    /** A record or a bad one, in the order of the split, and where the reader stood after it. */
    record Step(String what, long line, long offset, long position) {}

    private Tape() {}

    static List<Step> of(Source<?> source, String split) throws Exception {
        return from(source, split, -1);
    }

    /** Reading on from each position must tell what reading from the beginning tells after it. */
    static void check(Source<?> source, String split) throws Exception {
        List<Step> all = of(source, split);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).position() < 0) {
                continue; // a bad record: the reader stands where the next good one ends
            }
            List<Step> rest = from(source, split, all.get(i).position());
            assertThat(rest).as("after step %d, %s", i, all.get(i)).isEqualTo(all.subList(i + 1, all.size()));
        }
    }

    private static List<Step> from(Source<?> source, String split, long position) throws Exception {
        List<Step> steps = new ArrayList<>();
        FakeContext context = new FakeContext();
        try (Reading.Split<?> opened = new Reading.Split<>(source.open(split, context))) {
            if (position >= 0) {
                opened.reader().seek(position);
            }
            while (true) {
                Object record = opened.reader().poll();
                for (BadRecord bad : context.bad) {
                    steps.add(new Step("bad: " + bad.reason(), bad.line(), bad.offset(), -1));
                }
                context.bad.clear();
                if (record != null) {
                    steps.add(new Step(
                            record.toString(),
                            opened.reader().line(),
                            opened.reader().recordOffset(),
                            opened.reader().position()));
                } else if (opened.reader().finished()) {
                    return steps;
                }
            }
        }
    }
}
