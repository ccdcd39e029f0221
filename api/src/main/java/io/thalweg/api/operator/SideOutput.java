// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;
import java.io.Serializable;

/**
 * Names a stream that an operator emits besides its main one. Usually a constant:
 *
 * <pre>{@code static final SideOutput<Order> UNPAID = SideOutput.of("unpaid", Order.class);}</pre>
 *
 * @param <S> records
 * @param name unique within the operator
 * @param type of the records
 */
public record SideOutput<S>(String name, Type<S> type) implements Serializable {
    /** A side output of records whose class has no type parameters. */
    public static <S> SideOutput<S> of(String name, Class<S> type) {
        return new SideOutput<>(name, Type.of(type));
    }
}
