// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.window.WindowResult;
import java.util.List;
import java.util.Map;

/** The results of windows. */
final class WindowRules {
    private final NodeSpec.Window window;
    private final Ports out;

    WindowRules(NodeSpec.Window window, Ports out) {
        this.window = window;
        this.out = out;
    }

    void apply(Map<Object, List<Element>> byKey) {
        byKey.forEach((key, elements) -> new Panes(window.allowedLatenessMs(), elements, this::isGood, this::late, out)
                .of(window.window())
                .forEach(each -> fire(key, each)));
    }

    private boolean isGood(Element element) {
        long badBefore = out.bad;
        out.run(element, each -> window.aggregate().add(window.aggregate().create(), each.value()));
        return out.bad == badBefore;
    }

    private void late(Element element) {
        out.late++;
        if (window.late() != null) {
            out.emit(window.late().name(), element);
        }
    }

    private void fire(Object key, Panes.Pane pane) {
        Aggregate<Object, Object, Object> aggregate = window.aggregate();
        Object accumulator = aggregate.create();
        out.each(pane.elements(), element -> aggregate.add(accumulator, element.value()));
        out.run(accumulator, all -> {
            Object result = new WindowResult<>(key, pane.start(), pane.end(), Ports.result(aggregate, all));
            if (pane.timed()) {
                long stamp = pane.elements().stream().mapToLong(Element::stamp).reduce(pane.end() - 2, Math::max);
                out.emit(Element.timed(result, pane.end() - 1, stamp));
            } else {
                out.emit(Element.untimed(result, -1));
            }
        });
    }
}
