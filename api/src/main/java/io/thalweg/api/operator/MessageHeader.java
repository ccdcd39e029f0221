// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A header of the message that a bad record was read from.
 *
 * @param name of the header; several may have the same
 * @param value null if the header has none
 */
public record MessageHeader(String name, byte @Nullable [] value) implements Serializable {
    private static final long serialVersionUID = 1L;
}
