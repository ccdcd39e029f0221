// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.FlatAggregate;
import io.thalweg.api.operator.SeveralAggregates;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * What makes the result of a row, as one method handle from rows and a row's number to an object. Its aggregates and the record that
 * they make are constants for the JIT: no array is made for the results of several aggregates, and no boxes.
 */
final class ResultHandle {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType TYPE = MethodType.methodType(Object.class, Rows.class, int.class);

    private ResultHandle() {}

    /**
     * @throws ReflectiveOperationException if the record of several aggregates is not open to us
     * @throws IllegalArgumentException if a handle cannot have so many parameters
     */
    static MethodHandle of(Layout layout) throws ReflectiveOperationException {
        SeveralAggregates<?, ?, ?> several = layout.several();
        if (several == null) {
            return ofPart(layout.part(0));
        }
        MethodHandle made = several.constructor();
        int parts = layout.parts();
        int[] repeated = new int[2 * parts];
        for (int part = parts - 1; part >= 0; part--) {
            Class<?> component = made.type().parameterType(part);
            made = MethodHandles.collectArguments(
                    made, part, ofPart(layout.part(part)).asType(TYPE.changeReturnType(component)));
            repeated[2 * part + 1] = 1;
        }
        return MethodHandles.permuteArguments(
                        made, TYPE.changeReturnType(made.type().returnType()), repeated)
                .asType(TYPE);
    }

    private static MethodHandle ofPart(Layout.Part part) throws ReflectiveOperationException {
        return part.flat() == null
                ? bound("ofObject", Aggregate.class, part.aggregate(), part.place())
                : bound("ofLongs", FlatAggregate.class, part.flat(), part.place());
    }

    private static MethodHandle bound(String name, Class<?> type, Object aggregate, int place)
            throws ReflectiveOperationException {
        return MethodHandles.insertArguments(
                LOOKUP.findStatic(ResultHandle.class, name, TYPE.insertParameterTypes(0, type, int.class)),
                0,
                aggregate,
                place);
    }

    @SuppressWarnings("unused") // by a handle
    private static @Nullable Object ofLongs(
            FlatAggregate<Object, Object, Object> aggregate, int place, Rows rows, int row) throws Exception {
        return aggregate.result(rows.longs, rows.atLongs(row) + place);
    }

    @SuppressWarnings("unused") // by a handle
    private static @Nullable Object ofObject(Aggregate<Object, Object, Object> aggregate, int place, Rows rows, int row)
            throws Exception {
        return aggregate.result(rows.object(row, place));
    }
}
