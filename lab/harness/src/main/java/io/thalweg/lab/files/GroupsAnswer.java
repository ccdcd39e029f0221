// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One row for each group: its key, of one column or several, or of none; behind it its figures. */
final class GroupsAnswer implements Answer {
    /** Sums of doubles depend on the order of their terms. */
    private static final BigDecimal TOLERANCE = new BigDecimal("1e-9");

    private final List<String> header;
    private final int keys;
    private final Map<List<String>, List<BigDecimal>> expected;
    private final Set<List<String>> found = new HashSet<>();
    private @Nullable String problem;

    /** @param keys of the columns, the first ones */
    GroupsAnswer(List<String> header, int keys, Map<List<String>, List<BigDecimal>> expected) {
        this.header = header;
        this.keys = keys;
        this.expected = Map.copyOf(expected);
    }

    /** Figures of each group, which grow. */
    static final class Groups {
        private final Map<List<String>, List<BigDecimal>> figures = new HashMap<>();

        /** Adds a number to each figure but those named by {@code greatest}, of which the greater one stays. */
        void add(List<String> key, Set<Integer> greatest, List<BigDecimal> numbers) {
            List<BigDecimal> before = figures.get(key);
            if (before == null) {
                figures.put(key, new java.util.ArrayList<>(numbers));
                return;
            }
            for (int i = 0; i < numbers.size(); i++) {
                before.set(
                        i,
                        greatest.contains(i)
                                ? before.get(i).max(numbers.get(i))
                                : before.get(i).add(numbers.get(i)));
            }
        }

        GroupsAnswer answer(List<String> header, int keys) {
            return new GroupsAnswer(header, keys, figures);
        }
    }

    @Override
    public List<String> header() {
        return header;
    }

    @Override
    public void row(List<String> fields) {
        List<String> key = fields.subList(0, Math.min(keys, fields.size()));
        List<BigDecimal> must = expected.get(key);
        List<String> is = fields.subList(key.size(), fields.size());
        if (!found.add(List.copyOf(key))) {
            say("the group " + key + " came out twice");
        } else if (must == null) {
            say("the group " + key + " came out, which there is not");
        } else if (is.size() != must.size() || !equal(is, must)) {
            say("of the group " + key + " came out " + is + " instead of " + must);
        }
    }

    private static boolean equal(List<String> is, List<BigDecimal> must) {
        for (int i = 0; i < must.size(); i++) {
            BigDecimal expected = must.get(i);
            BigDecimal difference = new BigDecimal(is.get(i)).subtract(expected).abs();
            boolean whole = expected.stripTrailingZeros().scale() <= 0;
            if (difference.signum() != 0
                    && (whole || difference.compareTo(expected.abs().multiply(TOLERANCE, MathContext.DECIMAL64)) > 0)) {
                return false;
            }
        }
        return true;
    }

    private void say(String what) {
        problem = problem == null ? what : problem;
    }

    @Override
    public @Nullable String problem() {
        return problem != null || found.size() == expected.size()
                ? problem
                : "only " + found.size() + " of " + expected.size() + " groups came out";
    }
}
