// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.graph.JoinSide;
import io.thalweg.api.graph.WindowJoin;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.CoGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts the records of both streams into the windows of their key, and joins the records of each window. */
final class WindowJoinRules {
    private final WindowJoin join;
    private final Ports out;

    WindowJoinRules(WindowJoin join, Ports out) {
        this.join = join;
        this.out = out;
    }

    /** A record, and which stream it is from. */
    private record Row(boolean left, Element element) {}

    void apply(List<Element> first, List<Element> second) {
        Map<Object, List<Element>> byKey = new LinkedHashMap<>();
        List<Element> keyless = new ArrayList<>();
        sort(first, true, byKey, keyless);
        sort(second, false, byKey, keyless);
        byKey.forEach((key, rows) -> join(key, rows));
        keyless.forEach(row -> join(null, List.of(row)));
    }

    private void sort(List<Element> input, boolean left, Map<Object, List<Element>> byKey, List<Element> keyless) {
        out.each(input, each -> {
            Optional<?> key =
                    (Optional<?>) SequentialInterpreter.keyOf(side(left).key(), each);
            List<Element> rows = key.isPresent() ? byKey.computeIfAbsent(key.get(), k -> new ArrayList<>()) : keyless;
            rows.add(each.with(new Row(left, each)));
        });
    }

    private JoinSide side(boolean left) {
        return left ? join.left() : join.right();
    }

    private void join(@Nullable Object key, List<Element> rows) {
        for (Panes.Pane pane : new Panes(0, rows, row -> true, this::late, out).of(join.window())) {
            List<Object> lefts = values(pane, true);
            List<Object> rights = values(pane, false);
            FlatMapFunction<CoGroup<Object, Object, Object>, Object> groups = join.groups();
            if (groups != null) {
                out.run(new CoGroup<>(key, pane.start(), pane.end(), lefts, rights), group -> {
                    for (Object result : groups.apply(group)) {
                        emit(result, pane);
                    }
                });
            }
            for (Object left : lefts) {
                rights.forEach(right -> pair(left, right, pane));
            }
            if (join.left().outer() && rights.isEmpty()) {
                lefts.forEach(left -> pair(left, null, pane));
            }
            if (join.right().outer() && lefts.isEmpty()) {
                rights.forEach(right -> pair(null, right, pane));
            }
        }
    }

    private static List<Object> values(Panes.Pane pane, boolean left) {
        Stream<Element> elements = pane.elements().stream()
                .map(each -> (Row) each.value())
                .filter(row -> row.left() == left)
                .map(Row::element);
        return elements.sorted(Comparator.comparingLong(Element::eventTime))
                .map(Element::value)
                .toList();
    }

    private void late(Element element) {
        Row row = (Row) element.value();
        out.late++;
        SideOutput<Object> to = side(row.left()).late();
        if (to != null) {
            out.emit(to.name(), row.element());
        }
    }

    @SuppressWarnings("NullAway") // it does not check type arguments
    private void pair(@Nullable Object left, @Nullable Object right, Panes.Pane pane) {
        PairFunction<@Nullable Object, @Nullable Object, Object> pairs = join.pairs();
        if (pairs != null) {
            out.run("a pair", pair -> {
                Object result = pairs.apply(left, right);
                if (result != null) {
                    emit(result, pane);
                }
            });
        }
    }

    private void emit(Object result, Panes.Pane pane) {
        out.emit(pane.timed() ? Element.timed(result, pane.end() - 1, pane.end() - 2) : Element.untimed(result, -1));
    }
}
