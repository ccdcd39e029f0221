// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Everything that one node emits, by port, and what it counts. */
final class Ports {
    /** Does something with one record. */
    interface Rule<T> {
        void apply(T element) throws Exception;
    }

    /** The result of an aggregate, which may be null. */
    @SuppressWarnings("NullAway")
    static Object result(Aggregate<Object, Object, Object> aggregate, Object accumulator) throws Exception {
        return aggregate.result(accumulator);
    }

    private final Node node;
    private final Map<String, List<Element>> elements = new HashMap<>();
    long bad;
    long late;

    Ports(Node node) {
        this.node = node;
    }

    List<Element> on(String port) {
        return elements.getOrDefault(port, List.of());
    }

    void emit(Element element) {
        emit(Edge.MAIN, element);
    }

    void emit(String port, Element element) {
        if (element.value() == null) {
            throw new IllegalStateException("operator '" + node.name() + "' emitted null");
        }
        boolean timeless = !node.timed() && element.eventTime() != OperatorContext.NO_TIME;
        elements.computeIfAbsent(port, name -> new ArrayList<>())
                .add(timeless ? Element.untimed(element.value(), element.split()) : element);
    }

    /** An output for a user's operator; what it emits inherits from {@code cause}. */
    Output<Object> inheriting(Element cause) {
        return new Output<>() {
            @Override
            public void emit(Object value) {
                Ports.this.emit(cause.with(value));
            }

            @Override
            public void emitAt(long time, Object value) {
                if (!node.timed() || cause.eventTime() == OperatorContext.NO_TIME) {
                    throw new IllegalStateException("emitAt needs a current event time");
                }
                if (time < cause.eventTime()) {
                    throw new IllegalArgumentException("emitAt(" + time + ") is before " + cause.eventTime());
                }
                Ports.this.emit(new Element(value, time, Math.max(cause.stamp(), time - 1), cause.split()));
            }

            @Override
            public <S> void emit(SideOutput<S> side, S value) {
                Ports.this.emit(side.name(), cause.with(value));
            }
        };
    }

    /** Applies a rule to each element; one that the user's function calls bad is counted and dropped. */
    <T> void each(Iterable<T> inputs, Rule<T> rule) {
        for (T input : inputs) {
            run(input, rule);
        }
    }

    <T> void run(T input, Rule<T> rule) {
        try {
            rule.apply(input);
        } catch (BadRecordException e) {
            bad++;
        } catch (Exception e) {
            throw new IllegalStateException("operator '" + node.name() + "' failed on " + input + ": " + e, e);
        }
    }
}
