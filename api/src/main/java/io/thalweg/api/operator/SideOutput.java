// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;
import java.io.Serializable;

/** Names a stream that an operator emits besides its main one. */
public record SideOutput<S>(String name, Type<S> type) implements Serializable {
    public static <S> SideOutput<S> of(String name, Class<S> type) {
        return new SideOutput<>(name, Type.of(type));
    }
}
