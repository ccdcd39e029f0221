// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.graph.IntervalJoin;
import io.thalweg.api.graph.JoinSide;
import io.thalweg.api.operator.OperatorContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Joins by comparing every record of one stream with every record of the other. */
final class JoinRules {
    private final IntervalJoin join;
    private final Ports out;

    JoinRules(IntervalJoin join, Ports out) {
        this.join = join;
        this.out = out;
    }

    /** A record that takes part, by its number. */
    private record Row(int number, Optional<?> key, Element element) {
        long time() {
            return element.eventTime();
        }
    }

    void apply(List<Element> first, List<Element> second) {
        List<Row> lefts = rows(first, join.left());
        List<Row> rights = rows(second, join.right());
        Set<Integer> leftMatched = new HashSet<>();
        Set<Integer> rightMatched = new HashSet<>();
        for (Row left : lefts) {
            for (Row right : rights) {
                boolean equal = left.key().isPresent() && left.key().equals(right.key());
                if (equal && !early(left, right) && !afterwards(left, right)) {
                    leftMatched.add(left.number());
                    rightMatched.add(right.number());
                    emit(left.element().value(), right.element().value(), Math.max(left.time(), right.time()));
                }
            }
        }
        for (Row left : join.left().outer() ? lefts : List.<Row>of()) {
            if (!leftMatched.contains(left.number())) {
                emit(left.element().value(), null, left.time() + (join.upperMs() > 0 ? join.upperMs() : 0));
            }
        }
        for (Row right : join.right().outer() ? rights : List.<Row>of()) {
            if (!rightMatched.contains(right.number())) {
                emit(null, right.element().value(), right.time() - (join.lowerMs() < 0 ? join.lowerMs() : 0));
            }
        }
    }

    private boolean early(Row left, Row right) {
        return right.time() < left.time() + join.lowerMs();
    }

    private boolean afterwards(Row left, Row right) {
        return right.time() > left.time() + join.upperMs();
    }

    /** Those that have a time and are not late. */
    private List<Row> rows(List<Element> input, JoinSide side) {
        List<Row> rows = new ArrayList<>();
        out.each(input, each -> {
            Optional<?> key = (Optional<?>) SequentialInterpreter.keyOf(side.key(), each);
            if (each.eventTime() == OperatorContext.NO_TIME) {
                out.bad++;
            } else if (each.stamp() >= each.eventTime()) {
                out.late++;
                if (side.late() != null) {
                    out.emit(side.late().name(), each);
                }
            } else {
                rows.add(new Row(rows.size(), key, each));
            }
        });
        return rows;
    }

    private void emit(@Nullable Object left, @Nullable Object right, long time) {
        out.run("a pair", pair -> {
            Object result = join.result(left, right);
            if (result != null) {
                out.emit(Element.timed(result, time, time - 1));
            }
        });
    }
}
