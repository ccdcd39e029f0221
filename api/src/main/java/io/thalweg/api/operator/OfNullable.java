// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** An aggregate that leaves nulls out, as SQL does: its result is null if all values were. */
interface OfNullable {
    NullableFunction<?, ?> field();
}
